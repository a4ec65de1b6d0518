"""A change and its entry: one transaction under the store's lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from auditor.core.errors import CommitUnknown, StoreError, StoreUnavailable
from auditor.store import repository
from auditor.store.repository import NewEntry, OpenStore, Repository, settled

ENTRY = NewEntry("key_forgotten", {"export": "x"}, "ada", "network:n")


class Recorded:
    """A store that runs every transaction twice, as if the first commit was lost, and keeps what happened."""

    def __init__(self) -> None:
        self.connection = self.ledger = self
        self.log: list[Any] = []

    def write(self, work: Callable[[Any], Any]) -> Any:
        work(self)
        return work(self)

    def append(self, tx: object, kind: str, payload: object, *, actor: str, subject: str | None) -> None:
        self.log.append((kind, payload, actor, subject))


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Recorded:
    store = Recorded()
    monkeypatch.setattr(repository, "lock_store", lambda tx: store.log.append("lock"))
    return store


def test_the_lock_comes_before_the_work(store: Recorded) -> None:
    Repository(cast("OpenStore", store)).locked(lambda tx: store.log.append("work"))
    assert store.log == ["lock", "work"] * 2


def test_a_repetition_that_is_seen_is_recorded_once(store: Recorded) -> None:
    done: set[str] = set()

    def work(tx: object) -> NewEntry | None:
        if "it" in done:
            return None
        done.add("it")
        return ENTRY

    Repository(cast("OpenStore", store)).change(work)
    assert store.log == ["lock", ("key_forgotten", {"export": "x"}, "ada", "network:n"), "lock"]


@pytest.mark.parametrize(
    ("answers", "end"),
    [
        (["done"], "done"),
        ([CommitUnknown("lost"), "done"], "done"),
        ([CommitUnknown("lost"), CommitUnknown("again")], CommitUnknown("again")),
        # nobody knows whether it was recorded, and that is what is told
        ([CommitUnknown("lost"), StoreUnavailable("away")], CommitUnknown("lost")),
        ([CommitUnknown("lost"), StoreError("no")], StoreError("no")),
        ([StoreUnavailable("away"), "done"], StoreUnavailable("away")),
    ],
)
def test_what_was_lost_in_its_commit_is_run_once_more(answers: list[str | StoreError], end: str | StoreError) -> None:
    coming = iter(answers)

    def write() -> str:
        answer = next(coming)
        if isinstance(answer, StoreError):
            raise answer
        return answer

    if isinstance(end, str):
        assert settled(write) == end
        assert list(coming) == []
    else:
        with pytest.raises(type(end), match=str(end)) as raised:
            settled(write)
        assert type(raised.value) is type(end)


def test_a_lock_is_waited_for_again_after_a_lost_commit(store: Recorded) -> None:
    lost = [CommitUnknown("lost")]

    def work(tx: object) -> str:
        store.log.append("work")
        if lost:
            raise lost.pop()
        return "done"

    assert Repository(cast("OpenStore", store)).locked(work) == "done"
    assert store.log == ["lock", "work"] * 3
