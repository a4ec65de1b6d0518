"""What is due is sent: claimed, sent, and what became of it noted. Any number of senders may run at once."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal

import numpy as np

from auditor.core.errors import NotFound, PolicyError
from auditor.notifications.delivering import Deliver
from auditor.notifications.failure import NotSent
from auditor.notifications.message import run_messages
from auditor.notifications.missed_runs import mark_notified, missed_runs, recorded_verdicts
from auditor.notifications.outbox import Outbox
from auditor.notifications.record import Message
from auditor.policy import Policy, stored_policy
from auditor.store import Store
from auditor.store.policies import policy_text


@dataclass(frozen=True, slots=True)
class Backoff:
    """How often a message is tried, later and later and not all at the same moment, and how long a sender holds it."""

    attempts: int = 12
    """After so many it is dead; with the waits below that is two and a half days."""
    first_wait: timedelta = timedelta(seconds=10)
    """Until the second attempt; each wait is four times the one before."""
    longest_wait: timedelta = timedelta(hours=12)
    lease: timedelta = timedelta(minutes=5)
    """After so long without an answer another sender takes it; longer than any attempt lasts."""

    def wait(self, attempts: int, chance: np.random.Generator) -> timedelta | None:
        """Return how long to wait after so many attempts, from half to one and a half of the plan; None to give up.

        Examples
        --------
        >>> [str(Backoff().wait(attempts, np.random.default_rng(1))).split(".")[0] for attempts in (1, 2, 6, 11, 12)]
        ['0:00:10', '0:00:40', '2:52:41', '12:08:30', 'None']
        """
        if attempts >= self.attempts:
            return None
        # a large power of four is no time any more
        planned: timedelta = min(self.first_wait * 4 ** min(attempts - 1, 20), self.longest_wait)
        return planned * (0.5 + float(chance.random()))


@dataclass(frozen=True, slots=True)
class SentMessage:
    """What became of a message in one go."""

    id: str
    channel: str
    event: str
    subject: str
    status: Literal["sent", "failed", "dead"]
    reason: str | None = None
    """Why it did not arrive."""
    next_at: datetime | None = None


def write_run_messages(store: Store) -> None:
    """Put into the outbox what is to be told of ticks that were given up or skipped; each tick once.

    Notes
    -----
    The tick itself keeps whether it was told, so a worker that dies before it tells loses nothing.
    """
    for missed in missed_runs(store.connection):
        run = missed.run
        audits = {subject: run.audit_id(subject) for subject in missed.subjects}
        made = recorded_verdicts(store.connection, [*audits.values()]) if run.status == "failed" else {}
        missing = tuple(subject for subject, id in audits.items() if id not in made)
        try:
            messages = run_messages(_policy(missed.policy_text), missed.schedule, run, missing)
        except PolicyError:
            # of another version: it is told by a worker that understands it
            continue
        mark_notified(store, run, messages)


def send_due(
    store: Store,
    *,
    deliver: Deliver,
    worker: str,
    chance: np.random.Generator,
    backoff: Backoff | None = None,
    stopping: Callable[[], bool] = lambda: False,
) -> Iterator[SentMessage]:
    """Send the messages that are due, the oldest first, and yield what became of each.

    Parameters
    ----------
    store : Store
        Its ledger's clock tells the time.
    deliver : callable
        Hands a message over; see :data:`auditor.notifications.delivering.Deliver`.
    worker : str
        Who sends.
    chance : Generator
        Spreads what is sent again.
    backoff : Backoff, optional
    stopping : callable, optional
        Asked before each message whether to end.

    Raises
    ------
    StoreUnavailable
        If the store is away; nothing is lost, and a later run goes on.

    Notes
    -----
    After a failure the other messages of that channel are left for the next time: one receiver that does not answer
    holds up nobody else for longer than one attempt.
    """
    backoff = backoff if backoff is not None else Backoff()
    broken: set[tuple[str, str]] = set()
    for waiting in _all_due(store):
        if stopping():
            return
        if (waiting.channel, waiting.policy) in broken:
            continue
        message = Outbox(store).claim(waiting.id, worker=worker, lease=backoff.lease, most=backoff.attempts)
        if message is None:
            continue
        told = (message.id, message.channel, message.event, message.subject)
        if message.status == "dead":
            yield SentMessage(*told, "dead", message.last_error)
            continue
        failure = _failure(store, message, deliver)
        if failure is None:
            Outbox(store).sent(message)
            yield SentMessage(*told, "sent")
            continue
        broken.add((waiting.channel, waiting.policy))
        wait = None if failure.final else backoff.wait(message.attempts, chance)
        next_at = None if wait is None else store.ledger.clock() + max(wait, failure.wait or timedelta(0))
        Outbox(store).failed(message, str(failure), next_at)
        yield SentMessage(*told, "failed" if next_at is not None else "dead", str(failure), next_at)


def _all_due(store: Store) -> Iterator[Message]:
    """Yield what is due now, page by page; each once, also if it stays due."""
    seen: set[str] = set()
    limit = 100
    while True:
        page = Outbox(store).due(limit)
        fresh = [message for message in page if message.id not in seen]
        seen.update(message.id for message in fresh)
        yield from fresh
        if len(page) < limit:
            return
        if not fresh:
            # all of the page was left: look further
            limit *= 2


def _failure(store: Store, message: Message, deliver: Deliver) -> NotSent | None:
    """Send a message; return why it did not arrive."""
    try:
        try:
            policy = _policy(policy_text(store, message.policy))
        except (NotFound, PolicyError):
            raise NotSent("the policy that has the channel is not known to this version") from None
        channel = policy.notify.channels.get(message.channel)
        if channel is None:
            raise NotSent("the policy has no such channel", final=True)
        deliver(channel, policy.notify, message)
    except NotSent as failure:
        return failure
    except Exception as error:
        # only our own errors speak for themselves; others may quote an address
        return NotSent(f"internal error ({type(error).__name__})")
    return None


@lru_cache(maxsize=100)
def _policy(text: str) -> Policy:
    return stored_policy(text, "policy of a message")
