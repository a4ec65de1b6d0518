"""Sessions of people who logged in with a token. The text of a session is in its cookie alone; here is its digest."""

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
ON CREATE SET s.token = $token, s.csrf = $csrf, s.created_at = $at, s.expires_at = $expires_at
"""
# read
_FIND = f"""
MATCH (s:AuditorSession {{digest: $digest}})
MATCH (t:AuditorAccessToken {{id: s.token}})
RETURN s {{.*}} AS session, {TOKEN_COLUMNS} AS token
"""
# write
_END = "MATCH (s:AuditorSession {digest: $digest}) DETACH DELETE s"


@dataclass(frozen=True, slots=True)
class Session:
    """A session that is open."""

    digest: str
    """Of its text; tells sessions apart where the text must not be known."""
    csrf: str
    """What forms of this session must send, so that another site's cannot."""
    created_at: datetime
    expires_at: datetime


class Sessions(Repository):
    """The sessions of a store."""

    def begin(self, token: Token, lasting: timedelta) -> str:
        """Begin a session, and return its text: that cannot be had again.

        Parameters
        ----------
        token : Token
            Whose session it is; it ends with the token at the latest.
        lasting : timedelta
        """
        text = secrets.token_urlsafe(_BYTES)
        now = self._ledger.clock()
        values = {
            "digest": digest_of(text),
            "token": token.id,
            "csrf": secrets.token_urlsafe(_BYTES),
            "at": time_text(now),
            "expires_at": time_text(min(now + lasting, token.expires_at)),
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
