"""Whether the service can do its work, answered in time whatever the graph database does."""

import asyncio
import threading
from concurrent.futures import Future

from auditor.operating.health import readiness
from auditor.store import Store

_SECONDS = 0.7


class ReadinessProbe:
    """Asks the store in a thread of its own, one at a time, and waits for it no longer than a probe can wait.

    Parameters
    ----------
    store : Store
    seconds : float, optional
        How long to wait for an answer.

    Notes
    -----
    A driver may hang as long as the line does not break, and all threads that serve requests may hang in it. Neither
    keeps this from answering: it needs none of those threads, and a question that is under way is not asked again.
    Asking also finds the local server again where it ended, or starts it.
    """

    def __init__(self, store: Store, seconds: float = _SECONDS) -> None:
        self._store, self._seconds = store, seconds
        self._lock = threading.Lock()
        self._asked: Future[tuple[str, ...]] | None = None

    async def ask(self) -> tuple[str, ...]:
        """Return what keeps the service from doing its work, in words; nothing if it is ready."""
        answer = asyncio.wrap_future(self._question())
        done, _ = await asyncio.wait([answer], timeout=self._seconds)
        return answer.result() if done else ("the graph database does not answer in time",)

    def _question(self) -> Future[tuple[str, ...]]:
        with self._lock:
            if self._asked is None or self._asked.done():
                self._asked = Future()
                # nobody who stops waiting ends it
                self._asked.set_running_or_notify_cancel()
                threading.Thread(target=self._answer, args=(self._asked,), name="readiness", daemon=True).start()
            return self._asked

    def _answer(self, asked: Future[tuple[str, ...]]) -> None:
        try:
            asked.set_result(readiness(self._store))
        except BaseException as error:
            asked.set_exception(error)
