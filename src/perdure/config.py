"""The only reader of the environment. Every setting is listed in docs/settings.md.

Settings come from keyword arguments, else from variables with the prefix `PERDURE_`. An empty variable is an
unset one. Three names that other tools use are read too: OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from perdure.errors import ConfigError

EmbedderKind: TypeAlias = Literal["local", "openai", "hashing"]
ModelKind: TypeAlias = Literal["openai", "anthropic"]

DEFAULT_MODEL = "gpt-4o-mini"


def default_path(platform: str = sys.platform, environment: Mapping[str, str] | None = None) -> Path:
    """Where the memory of this user lives: in the place that the system has for data of programs."""
    variables = os.environ if environment is None else environment
    home = Path(variables.get("HOME") or variables.get("USERPROFILE") or Path.home())
    if platform == "win32":
        base = Path(variables.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(variables.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "perdure" / "memory.db"


class Settings(BaseSettings):
    """What can be set. `repr` and `str` never show a key."""

    model_config = SettingsConfigDict(
        env_prefix="PERDURE_",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        populate_by_name=True,
        protected_namespaces=(),
        hide_input_in_errors=True,
    )

    path: Path = Field(default_factory=default_path)
    workspace: str = Field(default="default", min_length=1, max_length=128)

    provider: ModelKind | None = None
    model: str | None = None
    strong_model: str | None = None
    model_base_url: str | None = None
    model_api_key: SecretStr | None = None
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    openai_base_url: str | None = Field(default=None, validation_alias="OPENAI_BASE_URL")
    anthropic_api_key: SecretStr | None = Field(default=None, validation_alias="ANTHROPIC_API_KEY")
    model_timeout_s: float = Field(default=60.0, gt=0, le=3600)
    model_deadline_s: float = Field(default=180.0, gt=0, le=7200)
    model_attempts: int = Field(default=6, ge=1, le=50)
    model_concurrency: int = Field(default=8, ge=1, le=1000)
    retry_after_cap_s: float = Field(default=60.0, ge=0, le=3600)

    embedder: EmbedderKind = "local"
    embedding_model: str = Field(default="text-embedding-3-small", min_length=1)
    embedding_base_url: str | None = None
    embedding_api_key: SecretStr | None = None
    embedding_dimension: int | None = Field(default=None, ge=1, le=16384)
    embedding_batch_size: int = Field(default=128, ge=1, le=10000)

    max_message_bytes: int = Field(default=1_000_000, ge=1)
    max_messages: int = Field(default=1000, ge=1)

    @model_validator(mode="after")
    def _model_has_a_name(self) -> Settings:
        """Only OpenAI itself has a model that we can choose; a key alone does not make a model elsewhere."""
        if self.model is None and (self.model_base_url is not None or self.provider == "anthropic"):
            raise ValueError("model: name the model that the endpoint serves (PERDURE_MODEL)")
        return self

    @property
    def model_kind(self) -> ModelKind | None:
        """Which API the chat model speaks; None if none can be reached: no key and no base URL."""
        if self.provider is not None:
            return self.provider
        is_claude = self.model is not None and self.model.startswith("claude")
        if self.anthropic_api_key is not None and is_claude and self.model_base_url is None:
            return "anthropic"
        keys = (self.model_api_key, self.openai_api_key, self.model_base_url, self.openai_base_url)
        return "openai" if any(each is not None for each in keys) else None

    @property
    def fast_model(self) -> str | None:
        """The name of the model for extraction; None if there is no model."""
        return None if self.model_kind is None else self.model or DEFAULT_MODEL

    @property
    def judge_model(self) -> str | None:
        """The name of the strong model, which is the fast one unless another is set."""
        return None if self.model_kind is None else self.strong_model or self.fast_model

    @property
    def chat_base_url(self) -> str | None:
        """Where the chat model is; None for the provider's own address."""
        return self.model_base_url or (self.openai_base_url if self.model_kind == "openai" else None)

    @property
    def chat_api_key(self) -> SecretStr | None:
        """The key for the chat model. OPENAI_API_KEY is never sent to an address set for perdure alone."""
        if self.model_api_key is not None:
            return self.model_api_key
        if self.model_kind == "anthropic":
            return self.anthropic_api_key
        return self.openai_api_key if self.model_base_url is None else None

    @property
    def embeddings_base_url(self) -> str | None:
        """Where remote embeddings are made: their own setting, else that of the chat model."""
        shared = self.model_base_url if self.model_kind == "openai" else None
        return self.embedding_base_url or shared or self.openai_base_url

    @property
    def embeddings_api_key(self) -> SecretStr | None:
        """The key for remote embeddings; that of the chat model only if the address is the same."""
        if self.embedding_api_key is not None or self.embedding_base_url is not None:
            return self.embedding_api_key
        return self.chat_api_key if self.model_kind == "openai" else self.openai_api_key


def load_settings(**given: object) -> Settings:
    """The settings of this process, `given` before the environment; ConfigError names what is wrong."""
    try:
        return Settings.model_validate(given)
    except ValidationError as error:
        raise ConfigError(_complaint(error)) from None


def _complaint(error: ValidationError) -> str:
    wrong = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(
        f"{'.'.join(str(part) for part in each['loc'])}: {each['msg'].removeprefix('Value error, ')}"
        for each in wrong
    ).removeprefix(": ")
