from __future__ import annotations

import pytest

from perdure.errors import ConfigError
from perdure.remote.addresses import read_address


@pytest.mark.parametrize(
    ("written", "base_url"),
    [
        ("h:1/v1", "http://h:1/v1"),
        ("localhost:11434", "http://localhost:11434/v1"),
        ("10.0.0.7:8000", "http://10.0.0.7:8000/v1"),
        ("[::1]:8000/v1", "http://[::1]:8000/v1"),
        ("api.example.com", "https://api.example.com/v1"),
        ("HTTPS://api.example.com/v1/embeddings", "https://api.example.com/v1"),
        ("https://example.com/v1beta/openai/", "https://example.com/v1beta/openai"),
    ],
)
def test_base_url_has_one_normal_form(written: str, base_url: str) -> None:
    assert read_address(written, setting="model_base_url").base_url == base_url


@pytest.mark.parametrize("written", ["", "ftp://h/v1", "http://", "http://h:99999999/v1", "http://a b/v1"])
def test_what_cannot_be_a_base_url_names_the_setting(written: str) -> None:
    with pytest.raises(ConfigError, match="model_base_url"):
        read_address(written, setting="model_base_url")


def test_error_quotes_the_url_as_understood() -> None:
    with pytest.raises(ConfigError, match="ftp://h/v1"):
        read_address("ftp://h", setting="model_base_url")


def test_shown_address_holds_no_password_and_no_key() -> None:
    address = read_address("http://me:canary@h/v1?key=canary&api-version=2", setting="x")
    assert str(address) == "http://h/v1?key=***&api-version=2"
