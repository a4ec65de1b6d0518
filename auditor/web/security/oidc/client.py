"""This service as a client of the provider: send somebody there, and find out who came back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from threading import Semaphore
from typing import Any
from urllib.parse import quote_plus, urlencode

from authlib.oauth2.auth import ClientAuth
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri, prepare_token_request
from authlib.oauth2.rfc7636 import create_s256_code_challenge

from auditor.access.log_ins import NamedBy, ProviderPerson, check_shown_name
from auditor.config.oidc import OidcSettings
from auditor.core.errors import BadInput
from auditor.web.security.oidc.errors import LogInFailed, NoRole, NotVouched, ProviderAway
from auditor.web.security.oidc.fetching import AWAY
from auditor.web.security.oidc.pending import Begun, PendingLogIns
from auditor.web.security.oidc.provider import Provider
from auditor.web.security.oidc.replays import Seen
from auditor.web.security.oidc.vouching import check_id_token, check_logout_token, check_subject

ANSWER = "/login/provider/answer"
"""Where the provider sends people back to."""

_AT_ONCE = 16
_SHORT = 0.25

_STALE = "This log-in was not begun in this browser, has been used, or took too long. Start again from the log-in page."
_DECLINED = "The provider did not let you log in. Start again, or ask those who run the provider."
_MIXED = "The answer came from another provider than the one that was asked. Start again from the log-in page."


@dataclass(frozen=True, slots=True)
class Arrived:
    """Somebody whom the provider vouches for."""

    person: ProviderPerson
    id_token: str
    provider_session: str | None
    next: str


@dataclass(frozen=True, slots=True)
class Ended:
    """Whose sessions the provider has ended."""

    message: str
    """What the provider calls its message."""
    subject: str | None
    provider_session: str | None


class OidcClient:
    """Log-in at the provider of the settings.

    Parameters
    ----------
    settings : OidcSettings
        With an issuer.

    Raises
    ------
    PolicyError
        If the file of the client's secret cannot be read.
    """

    def __init__(self, settings: OidcSettings) -> None:
        self.settings = settings
        self.provider = Provider(settings)
        self.pending = PendingLogIns()
        self._secret = settings.read_secret()
        self._messages = Seen()
        self._turns = Semaphore(_AT_ONCE)

    def begin(self, next: str) -> tuple[str, Begun]:
        """Return where to send a browser, and what was begun with it.

        Raises
        ------
        ProviderAway
        """
        with self._turn():
            described = self.provider.described()
        begun = self.pending.begin(next)
        address = prepare_grant_uri(
            described.authorization,
            self.settings.client_id,
            "code",
            redirect_uri=self._answer,
            scope=" ".join(self.settings.scopes),
            state=begun.state,
            nonce=begun.nonce,
            code_challenge=create_s256_code_challenge(begun.verifier),
            code_challenge_method="S256",
        )
        return str(address), begun

    def finish(self, answer: Mapping[str, str], browser: str, now: datetime) -> Arrived:
        """Return who came back with an answer of the provider, to the browser of a cookie.

        Raises
        ------
        LogInFailed
            If the answer is not that to a log-in of this browser, the provider vouches for nobody, or the person has
            no role here (:class:`PersonWithoutRole`).
        """
        begun = self.pending.take(answer.get("state", ""), browser)
        if begun is None:
            raise NotVouched(_STALE, "state")
        with self._turn():
            return self._arrived(begun, answer, now)

    def ended(self, logout_token: str, now: datetime) -> Ended:
        """Return whose sessions a message of the provider ends (back-channel logout).

        Raises
        ------
        LogInFailed
            If the message is not the provider's, or came before, and what it says was done.
        """
        with self._turn():
            claims = check_logout_token(logout_token, self.provider, self.settings, now)
        message, subject, session = claims["jti"], claims.get("sub"), claims.get("sid")
        if self._messages.knows(message):
            raise NotVouched("This message came before.", "jti")
        subject = None if subject is None else check_subject(subject)
        return Ended(message, subject, session if isinstance(session, str) else None)

    def note_done(self, ended: Ended) -> None:
        """Note that the sessions of a message have ended: until then the provider may send it again, after an error."""
        self._messages.note(ended.message)

    def end_address(self, id_token: str) -> str | None:
        """Return where a browser is sent to log out at the provider; None if it has no such place or is away."""
        try:
            with self._turn():
                end = self.provider.described().end_session
        except ProviderAway:
            return None
        if end is None:
            return None
        told = {
            "id_token_hint": id_token,
            "client_id": self.settings.client_id,
            "post_logout_redirect_uri": f"{self.settings.service_url}/login",
        }
        return f"{end}{'&' if '?' in end else '?'}{urlencode(told)}"

    def _arrived(self, begun: Begun, answer: Mapping[str, str], now: datetime) -> Arrived:
        stated = answer.get("iss")
        if stated is None and self.provider.described().names_itself:
            raise NotVouched(_MIXED, "iss of the answer is missing")
        if stated is not None and stated != self.provider.issuer:
            raise NotVouched(_MIXED, "iss of the answer")
        code = answer.get("code")
        if answer.get("error") or not code:
            raise NotVouched(_DECLINED, "declined")
        found = self._redeem(code, begun)
        access = found.get("access_token")
        access = access if isinstance(access, str) and access.isascii() and access.isprintable() else None
        text = found.get("id_token")
        claims = check_id_token(text, self.provider, self.settings, nonce=begun.nonce, access_token=access, now=now)
        person = self._person(self._with_userinfo(claims, access))
        session = claims.get("sid")
        return Arrived(person, str(text), session if isinstance(session, str) else None, begun.next)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Let few ask the provider at a time: where it hangs, the others are told so, and the service works on."""
        if not self._turns.acquire(timeout=_SHORT):
            raise ProviderAway(AWAY, "too many at once")
        try:
            yield
        finally:
            self._turns.release()

    @property
    def _answer(self) -> str:
        return f"{self.settings.service_url}{ANSWER}"

    def _redeem(self, code: str, begun: Begun) -> dict[str, Any]:
        described = self.provider.described()
        body = prepare_token_request(
            "authorization_code", redirect_uri=self._answer, code=code, code_verifier=begun.verifier
        )
        method = "none" if self._secret is None else "client_secret_post" if described.secret_in_body else None
        id, secret = self.settings.client_id, self._secret
        if method is None:
            # as forms are written (RFC 6749, section 2.3.1); Authlib sends both as they are
            id, secret = quote_plus(id or ""), quote_plus(secret or "")
        auth = ClientAuth(id, secret, method)
        address, headers, body = auth.prepare("POST", described.token, {}, body)
        status, found = self.provider.ask(address, body=body, headers=headers)
        if status != 200:
            # invalid_client is ours to mend; the words of the provider are not repeated
            raise NotVouched(_DECLINED, f"token endpoint {status}")
        return found

    def _with_userinfo(self, claims: Mapping[str, Any], access_token: str | None) -> Mapping[str, Any]:
        """Return the claims; what is not in the ID token is asked for."""
        address = self.provider.described().userinfo
        needed = (self.settings.groups_claim, self.settings.name_claim)
        if address is None or access_token is None or all(claim_at(claims, name) is not None for name in needed):
            return claims
        headers = {"Authorization": f"Bearer {access_token}"}
        status, found = self.provider.ask(address, headers=headers)
        if status != 200 or found.get("sub") != claims["sub"]:
            raise NotVouched(_DECLINED, f"userinfo {status}")
        return {**found, **claims}

    def _person(self, claims: Mapping[str, Any]) -> ProviderPerson:
        """Return who it is here."""
        settings, subject = self.settings, str(claims["sub"])
        groups = claim_at(claims, settings.groups_claim)
        has = {groups} if isinstance(groups, str) else set(filter(_is_text, groups if isinstance(groups, list) else ()))
        role = next((role for group, role in settings.roles.items() if group in has), None)
        if role is None:
            raise PersonWithoutRole(self.provider.issuer, subject)
        shown = claim_at(claims, settings.name_claim)
        name = settings.people.get(subject, shown if isinstance(shown, str) else "")
        try:
            check_shown_name(name)
        except BadInput as error:
            raise NameUnfit(str(error), subject) from None
        named_by: NamedBy = "people" if subject in settings.people else "names" if settings.trust_names else "provider"
        return ProviderPerson(self.provider.issuer, subject, name, role, named_by)


class PersonWithoutRole(NoRole):
    """A person of the provider's who is in no group that has a role here.

    Parameters
    ----------
    issuer, subject : str
    """

    def __init__(self, issuer: str, subject: str) -> None:
        super().__init__("You are in no group that may use this service. Ask an administrator of the service.")
        self.issuer, self.subject = issuer, subject


class NameUnfit(LogInFailed):
    """A person whose name cannot be one here: the settings can give another.

    Parameters
    ----------
    reason : str
    subject : str
        The person is shown it, for the administrator.
    """

    status = 403

    def __init__(self, reason: str, subject: str) -> None:
        super().__init__(
            f"Your name at the provider cannot be used here: {reason}. An administrator of this service can say who "
            f"you are, under people of its settings [oidc]. You are this subject: {subject}"
        )


def claim_at(claims: Mapping[str, Any], path: str) -> Any:
    """Return a claim, also one within others; None if it is not there.

    Examples
    --------
    >>> claim_at({"realm_access": {"roles": ["a"]}}, "realm_access.roles"), claim_at({"a.b": 1}, "a.b")
    (['a'], 1)
    """
    if path in claims:
        return claims[path]
    found: Any = claims
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _is_text(value: object) -> bool:
    return isinstance(value, str)
