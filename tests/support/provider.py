"""An OpenID provider of the tests' own: it signs whatever a test wants, with keys of the test."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT = "auditor"
SECRET = "a secret/of the client"

# a key takes a second to make
_KEY = RSAKey.generate_key(2048, {"kid": "first"})

_ANN = {"sub": "1", "preferred_username": "Ann Lee", "groups": ["a"]}

Change = Callable[[dict[str, Any]], None]


def half_hash(text: str) -> str:
    """What `at_hash` is with SHA-256."""
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()[:16]).decode().rstrip("=")


@dataclass
class OwnProvider:
    """What the provider says, for tests to change."""

    url: str = ""
    key: RSAKey = field(default_factory=lambda: _KEY)
    published: list[dict[str, Any]] | None = None
    """Keys of its own list; by default the one that it signs with."""
    person: dict[str, Any] = field(
        default_factory=lambda: {"sub": "1", "preferred_username": "Ann Lee", "groups": ["a"]}
    )
    more: dict[str, Any] = field(default_factory=dict)
    """Beside what it says of itself."""
    header: dict[str, Any] = field(default_factory=lambda: {"alg": "RS256", "kid": "first"})
    change: Change = lambda claims: None
    """Changes the claims before they are signed."""
    sign: Callable[[dict[str, Any], dict[str, Any]], str] | None = None
    """Signs in another way."""
    methods: tuple[str, ...] = ("client_secret_basic",)
    """How clients may prove themselves."""
    userinfo: dict[str, Any] | None = None
    broken: dict[str, Any] = field(default_factory=dict)
    """Answers of paths that are others than they should be: a status, or a text."""
    asked: list[str] = field(default_factory=list)
    """Paths that were asked for."""
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    """What each code was given for."""

    def authorize(self, location: str, code: str = "") -> dict[str, str]:
        """Be the provider's page: return what it answers to the address that a browser was sent to."""
        given = dict(parse_qsl(urlsplit(location).query))
        code = code or f"code-{len(self.codes)}"
        self.codes[code] = given
        return {"code": code, "state": given["state"]}

    def token(self, claims: dict[str, Any]) -> str:
        """Sign claims."""
        if self.sign is not None:
            return self.sign(self.header, claims)
        return jwt.encode(self.header, claims, self.key, algorithms=[self.header["alg"]])

    def answer(self, path: str, form: dict[str, str], authorization: str) -> tuple[int, Any]:
        """Answer a request."""
        self.asked.append(path)
        if path in self.broken:
            return self.broken[path] if isinstance(self.broken[path], tuple) else (200, self.broken[path])
        if path == "/.well-known/openid-configuration":
            return 200, {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "jwks_uri": f"{self.url}/keys",
                "end_session_endpoint": f"{self.url}/end",
                "id_token_signing_alg_values_supported": ["RS256"],
                "token_endpoint_auth_methods_supported": self.methods,
                **({"userinfo_endpoint": f"{self.url}/userinfo"} if self.userinfo is not None else {}),
                **self.more,
            }
        if path == "/keys":
            return 200, {"keys": self.published or [{**self.key.as_dict(private=False), "kid": self.key.kid}]}
        if path == "/userinfo":
            return 200, self.userinfo
        return self._redeemed(form, authorization) if path == "/token" else (404, {})

    def _is_client(self, form: dict[str, str], authorization: str) -> bool:
        text = base64.b64encode(f"{CLIENT}:{SECRET.replace('/', '%2F').replace(' ', '+')}".encode()).decode()
        sent = (authorization, form.get("client_id"), form.get("client_secret"))
        return (
            sent
            == {
                "client_secret_basic": (f"Basic {text}", None, None),
                "client_secret_post": ("", CLIENT, SECRET),
                "none": ("", CLIENT, None),
            }[self.methods[0]]
        )

    def _redeemed(self, form: dict[str, str], authorization: str) -> tuple[int, Any]:
        given = self.codes.pop(form.get("code", ""), None)
        challenge = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        proved = given is not None and base64.urlsafe_b64encode(challenge).decode().rstrip("=") == given.get(
            "code_challenge"
        )
        if given is None or not proved or not self._is_client(form, authorization):
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": given["nonce"],
            "sid": "their-session",
            "at_hash": half_hash("access"),
            **self.person,
        }
        self.change(claims)
        return 200, {"access_token": "access", "token_type": "Bearer", "id_token": self.token(claims)}


@contextmanager
def own_provider() -> Iterator[OwnProvider]:
    """Let a provider listen on a free port of this machine as long as the block runs."""
    provider = OwnProvider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", "0"))
            form = parse_qs(self.rfile.read(length).decode())
            self._answer({name: values[0] for name, values in form.items()})

        def _answer(self, form: dict[str, str]) -> None:
            status, found = provider.answer(urlsplit(self.path).path, form, self.headers.get("Authorization", ""))
            body = found.encode() if isinstance(found, str) else json.dumps(found).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
