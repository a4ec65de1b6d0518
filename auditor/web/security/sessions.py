"""Sessions of people who logged in, with a token or at a provider: the text is in a cookie, here is its digest."""

import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from auditor.access.secret import digest_of
from auditor.access.tokens import TOKEN_COLUMNS, Token
from auditor.core.clock import time_text
from auditor.store.records import decode
from auditor.store.repository import Repository

_BYTES = 32

# write: what ended goes with whoever comes next
_CREATE = """
OPTIONAL MATCH (old:AuditorSession) WHERE old.expires_at <= $at
DETACH DELETE old
WITH count(*) AS ended
MERGE (s:AuditorSession {digest: $digest})
ON CREATE SET s.token = $token, s.csrf = $csrf, s.created_at = $at, s.expires_at = $expires_at,
  s.provider_session = $provider_session, s.id_token = $id_token
"""
# read
_FIND = f"""
MATCH (s:AuditorSession {{digest: $digest}})
MATCH (t:AuditorAccessToken {{id: s.token}})
RETURN s {{.*}} AS session, {TOKEN_COLUMNS} AS token
"""
# write
_END = "MATCH (s:AuditorSession {digest: $digest}) DETACH DELETE s"
# write
_END_OF = """
MATCH (s:AuditorSession {token: $token})
WHERE $provider_session IS NULL
  OR coalesce(properties(s)['provider_session'], $provider_session) = $provider_session
DETACH DELETE s
"""
# write
_END_ANYWHERE = """
MATCH (s:AuditorSession) WHERE properties(s)['provider_session'] = $provider_session
MATCH (t:AuditorAccessToken {id: s.token}) WHERE properties(t)['issuer'] = $issuer
DETACH DELETE s
"""


@dataclass(frozen=True, slots=True)
class Session:
    """A session that is open."""

    digest: str
    """Of its text; tells sessions apart where the text must not be known."""
    csrf: str
    """What forms of this session must send, so that another site's cannot."""
    created_at: datetime
    expires_at: datetime
    id_token: str | None = None
    """What the provider vouched with, of who logged in there: it wants it back when the person logs out."""


class Sessions(Repository):
    """The sessions of a store."""

    def begin(
        self, token: Token, lasting: timedelta, *, id_token: str | None = None, provider_session: str | None = None
    ) -> str:
        """Begin a session, and return its text: that cannot be had again.

        Parameters
        ----------
        token : Token
            Whose session it is; it ends with the token at the latest.
        lasting : timedelta
        id_token, provider_session : str, optional
            Of who logged in at a provider: what it vouched with, and what it calls its own session.
        """
        text = secrets.token_urlsafe(_BYTES)
        now = self._ledger.clock()
        values = {
            "digest": digest_of(text),
            "token": token.id,
            "csrf": secrets.token_urlsafe(_BYTES),
            "at": time_text(now),
            "expires_at": time_text(min(now + lasting, token.expires_at)),
            "id_token": id_token,
            "provider_session": provider_session,
        }
        self._connection.write(lambda tx: tx.run(_CREATE, values).consume())
        return text

    def find(self, text: str) -> tuple[Session, Token] | None:
        """Return the session of a text with its token; None if there is none, or one of the two has ended."""
        digest = digest_of(text)
        records = self._connection.read(_FIND, digest=digest)
        if not records or not hmac.compare_digest(records[0]["session"]["digest"], digest):
            return None
        session, token = decode(Session, records[0]["session"]), decode(Token, records[0]["token"])
        now = self._ledger.clock()
        return (session, token) if now < session.expires_at and token.state(now) == "valid" else None

    def end(self, text: str) -> None:
        """End a session; once is enough."""
        digest = digest_of(text)
        self._connection.write(lambda tx: tx.run(_END, digest=digest).consume())

    def end_of(self, token: str, provider_session: str | None = None) -> None:
        """End the sessions of a token's id; all, or those of one session at the provider."""
        values = {"token": token, "provider_session": provider_session}
        self._connection.write(lambda tx: tx.run(_END_OF, values).consume())

    def end_at_provider(self, issuer: str, provider_session: str) -> None:
        """End the sessions that were begun within a session at a provider, whosever they are."""
        values = {"issuer": issuer, "provider_session": provider_session}
        self._connection.write(lambda tx: tx.run(_END_ANYWHERE, values).consume())
