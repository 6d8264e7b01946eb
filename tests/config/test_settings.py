from __future__ import annotations

import re
from pathlib import Path

import pytest

from perdure.config import Settings, default_path, load_settings
from perdure.errors import ConfigError

CANARY = "sk-canary-00112233"
DOCS = Path(__file__).parents[2] / "docs" / "settings.md"


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def test_no_key_and_no_address_is_no_model() -> None:
    settings = load_settings()
    assert (settings.model_kind, settings.fast_model, settings.judge_model) == (None, None, None)


def test_an_openai_key_alone_gives_a_model_and_keeps_the_local_embedder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    settings = load_settings()
    chosen = (settings.model_kind, settings.fast_model, settings.judge_model, settings.embedder)
    assert chosen == ("openai", "gpt-4o-mini", "gpt-4o-mini", "local")


def test_empty_variable_is_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "")
    monkeypatch.setenv("PERDURE_WORKSPACE", "")
    settings = load_settings()
    assert (settings.model_kind, settings.workspace) == (None, "default")


def test_keyword_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERDURE_WORKSPACE", "there")
    assert load_settings(workspace="here").workspace == "here"


def test_openai_key_is_not_sent_to_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    settings = load_settings(model_base_url="http://localhost:11434", model="small")
    assert (settings.chat_api_key, settings.chat_base_url) == (None, "http://localhost:11434")


def test_chat_key_is_not_sent_to_another_embedding_address() -> None:
    settings = load_settings(model_api_key=CANARY, embedding_base_url="http://localhost:8080")
    assert settings.embeddings_api_key is None


def test_embeddings_share_address_and_key_of_the_chat_model() -> None:
    settings = load_settings(model_base_url="http://h/v1", model="m", model_api_key=CANARY)
    assert settings.embeddings_base_url == "http://h/v1"
    assert settings.embeddings_api_key == settings.model_api_key


def test_claude_model_with_its_key_speaks_anthropic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", CANARY)
    settings = load_settings(model="claude-small")
    assert (settings.model_kind, settings.chat_api_key) == ("anthropic", settings.anthropic_api_key)


def test_address_without_model_is_refused() -> None:
    with pytest.raises(ConfigError, match="PERDURE_MODEL"):
        load_settings(model_base_url="http://h/v1")


def test_wrong_value_names_the_setting_and_not_the_value() -> None:
    with pytest.raises(ConfigError, match=r"^model_attempts: ") as caught:
        load_settings(model_attempts=CANARY)
    assert CANARY not in str(caught.value)


def test_repr_shows_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", CANARY)
    settings = load_settings(model_api_key=CANARY, embedding_api_key=CANARY)
    assert CANARY not in f"{settings!r} {settings} {settings.model_dump()}"


@pytest.mark.parametrize(
    ("platform", "environment", "path"),
    [
        ("linux", {"HOME": "/home/a"}, "/home/a/.local/share/perdure/memory.db"),
        ("linux", {"HOME": "/home/a", "XDG_DATA_HOME": "/data"}, "/data/perdure/memory.db"),
        ("darwin", {"HOME": "/Users/a"}, "/Users/a/Library/Application Support/perdure/memory.db"),
        ("win32", {"LOCALAPPDATA": "C:/Users/a/AppData/Local"}, "C:/Users/a/AppData/Local/perdure/memory.db"),
        ("win32", {"USERPROFILE": "C:/Users/a"}, "C:/Users/a/AppData/Local/perdure/memory.db"),
    ],
)
def test_memory_lives_where_the_system_keeps_data(
    platform: str, environment: dict[str, str], path: str
) -> None:
    assert default_path(platform, environment).as_posix() == path


def test_every_setting_is_documented_with_its_variable() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    named = {
        name: str(field.validation_alias or f"PERDURE_{name.upper()}")
        for name, field in Settings.model_fields.items()
    }
    assert dict(rows) == named
