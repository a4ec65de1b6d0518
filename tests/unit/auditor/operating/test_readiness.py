"""A probe is answered in time, whatever the store does."""

from __future__ import annotations

import asyncio
import threading

import pytest

from auditor.operating import readiness as module
from auditor.operating.readiness import ReadinessProbe
from tests.support.event_loops import run_aside

LATE = ("the graph database does not answer in time",)


def test_it_answers_while_the_store_hangs_and_asks_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    released, asked = threading.Event(), []

    def hanging(store: object) -> tuple[str, ...]:
        asked.append(store)
        assert released.wait(60)
        return ()

    monkeypatch.setattr(module, "readiness", hanging)
    probe = ReadinessProbe("a store", seconds=0.01)  # type: ignore[arg-type]

    async def ask_often() -> list[tuple[str, ...]]:
        return [*await asyncio.gather(*(probe.ask() for _ in range(20))), await probe.ask()]

    assert run_aside(ask_often()) == [LATE] * 21
    assert asked == ["a store"]
    patient = ReadinessProbe("a store", seconds=60)  # type: ignore[arg-type]
    patient._asked = probe._asked
    released.set()
    assert run_aside(patient.ask()) == ()
    # the next one asks anew
    assert run_aside(patient.ask()) == ()
    assert 2 <= len(asked) <= 3


def test_a_bug_of_ours_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(store: object) -> tuple[str, ...]:
        raise ZeroDivisionError

    monkeypatch.setattr(module, "readiness", broken)
    probe = ReadinessProbe("a store", seconds=60)  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):
        run_aside(probe.ask())
