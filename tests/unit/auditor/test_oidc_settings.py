"""Settings of the log-in at a provider."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.config import load_settings
from auditor.core.errors import PolicyError

SECRET = "hunter2"
ENOUGH = {
    "AUDITOR_OIDC_ISSUER": "https://id.example.org/",
    "AUDITOR_OIDC_CLIENT_ID": "auditor",
    "AUDITOR_OIDC_SERVICE_URL": "https://audit.example.org/",
    "AUDITOR_OIDC_ROLES": "cn=a;x=officer, staff = viewer",
}


def test_the_environment_is_enough(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text(f"{SECRET}\n")
    oidc = load_settings(
        environ={**ENOUGH, "AUDITOR_OIDC_SCOPES": "profile groups", "AUDITOR_OIDC_CLIENT_SECRET_FILE": str(file)}
    ).oidc
    assert dict(oidc.roles) == {"cn=a;x": "officer", "staff": "viewer"}
    assert oidc.scopes == ("openid", "profile", "groups")
    # the provider compares the one as it is, and appends to the other
    assert (oidc.issuer, oidc.service_url) == ("https://id.example.org/", "https://audit.example.org")
    assert oidc.read_secret() == SECRET


def test_the_order_of_roles_is_that_of_the_file(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[oidc.roles]\nz = "viewer"\na = "officer"\n[oidc.people]\n"1" = "ann"\n')
    oidc = load_settings(config, environ={}).oidc
    assert list(oidc.roles) == ["z", "a"]
    assert dict(oidc.people) == {"1": "ann"}


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("AUDITOR_OIDC_ISSUER", "http://id.example.org", "https://"),
        ("AUDITOR_OIDC_ISSUER", f"https://ann:{SECRET}@id.example.org", "https://"),
        ("AUDITOR_OIDC_ISSUER", "https://id.example.org?a=b", "https://"),
        ("AUDITOR_OIDC_SERVICE_URL", "https://audit.example.org/below", "root"),
        ("AUDITOR_OIDC_ROLES", "auditors", "NAME=VALUE"),
        ("AUDITOR_OIDC_ROLES", "auditors=king", "officer"),
        ("AUDITOR_OIDC_ROLES", "", "needs roles"),
        ("AUDITOR_OIDC_CLIENT_ID", "", "needs client_id"),
        ("AUDITOR_OIDC_RECHECK_MINUTES", "100000", "480"),
    ],
)
def test_what_does_not_fit_is_named(variable: str, value: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said) as refused:
        load_settings(environ={**ENOUGH, variable: value})
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize("content", [None, "", "\n"])
def test_a_file_without_a_secret_is_named(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "secret"
    if content is not None:
        file.write_text(content)
    oidc = load_settings(environ={**ENOUGH, "AUDITOR_OIDC_CLIENT_SECRET_FILE": str(file)}).oidc
    with pytest.raises(PolicyError, match="client_secret_file"):
        oidc.read_secret()
