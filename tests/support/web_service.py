"""A service on a store, with a person in every role."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from fastapi import FastAPI
from fastapi.testclient import TestClient

from auditor.access.rights import ROLES, Role
from auditor.access.tokens import Tokens
from auditor.config import Settings
from auditor.policy import Policy
from auditor.store import Store
from auditor.web.app import create_app
from auditor.web.service import Limits, Service

__all__ = ["NETWORK", "SURVEY", "ServedStore", "served"]

SURVEY = b"sex,ill,age,count\nf,yes,old,12\nf,no,old,31\nm,yes,old,1\nm,no,old,29\nf,yes,young,5\nm,no,young,9\n"
NETWORK = b"a,b\nb,c\nc,d\nd,e\ne,a\na,c\n"


@dataclass
class ServedStore:
    """A store, its service, and the texts of tokens by role."""

    store: Store
    settings: Settings
    exports: Path
    policy: Policy = field(default_factory=lambda: Policy.model_validate({"network": {"k": 2}}))
    limits: Limits = field(default_factory=lambda: Limits(per_second=1e6, burst=1_000_000))
    secrets: Mapping[str, str] = field(init=False)
    """By role; a token is made when it is asked for, as few tests need all."""

    def __post_init__(self) -> None:
        self.service = Service(self.store, self.policy, self.settings, limits=self.limits, exports=self.exports)
        self.app: FastAPI = create_app(self.service)
        self.secrets = _Secrets(self)

    def token(self, person: str, role: Role, only: list[str] | None = None, days: float = 1) -> str:
        """Return the text of a new token."""
        until = self.store.ledger.clock() + timedelta(days=days)
        return Tokens(self.store).create(person=person, role=role, expires_at=until, actor="test", only=only)[1]

    def client(self, role: str | None = None) -> TestClient:
        """Return a client that shows a token, or none."""
        headers = {} if role is None else {"Authorization": f"Bearer {self.secrets[role] if role in ROLES else role}"}
        return TestClient(self.app, headers=headers, raise_server_exceptions=False, follow_redirects=False)

    def logged_in(self, role: str) -> TestClient:
        """Return a client with the cookie of a session."""
        client = self.client()
        answer = client.post("/login", data={"token": self.secrets[role]})
        assert answer.status_code == 303, answer.text
        return client

    def add_data(self) -> None:
        """Add a table `survey` and a network `friends`."""
        officer = self.client("officer")
        for kind, name, file, content in (
            ("tables", "survey", "survey.csv", SURVEY),
            ("networks", "friends", "friends.csv", NETWORK),
        ):
            answer = officer.post(f"/api/v1/{kind}", data={"name": name}, files={"file": (file, content)})
            assert answer.status_code == 201, answer.text


class _Secrets(dict[str, str]):
    """Texts of tokens by role, made when they are asked for."""

    def __init__(self, site: ServedStore) -> None:
        super().__init__()
        self._site = site

    def __missing__(self, role: Role) -> str:
        return self.setdefault(role, self._site.token(role, role))


def served(store: Store, settings: Settings, folder: Path, **given: object) -> ServedStore:
    """Return a service on a store whose exports lie in a folder of their own."""
    return ServedStore(store, settings, folder, **given)  # type: ignore[arg-type]
