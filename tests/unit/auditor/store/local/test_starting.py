"""A start that lacks memory is tried with more, as far as the machine has it; any other failure is told as it is."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from auditor.config import Settings, StoreSettings
from auditor.core.errors import StoreUnavailable
from auditor.store.local import memory, starting
from auditor.store.local.layout import Layout
from auditor.store.local.memory import NEEDS_MEMORY, larger_heap, memory_limit, parse_memory
from auditor.store.local.starting import start_server
from auditor.store.local.state import ServerState, read_state, write_state

GIGABYTE = 1 << 30
FAILED = ServerState(pid=2, identity="none", phase="failed", since=1.0, version="5")


class Starts:
    """Stands for the server: it starts with a heap of so much, and otherwise ends as the virtual machine does."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, layout: Layout, needs: int, says: str = "process") -> None:
        self.heaps: list[str] = []
        self._layout, self._needs, self._says = layout, needs, says
        monkeypatch.setattr(starting, "_start", self.start)
        monkeypatch.setattr(starting, "_await_ready", self.wait)

    def start(self, settings: Settings, layout: Layout, heap: str) -> int:
        self.heaps.append(heap)
        layout.state.unlink(missing_ok=True)
        return len(self.heaps)

    def wait(self, layout: Layout, pid: int, deadline: float) -> str:
        if parse_memory(self.heaps[-1]) >= self._needs:
            return "an endpoint"
        if self._says == "process":
            with layout.log.open("a") as log:
                log.write("Terminating due to java.lang.OutOfMemoryError: Java heap space\n")
        elif self._says == "state":
            write_state(layout.state, ServerState(**{**_values(FAILED), "reason": NEEDS_MEMORY}))
        raise StoreUnavailable("the local Neo4j did not start: its process ended")


def _values(state: ServerState) -> dict[str, object]:
    return {name: getattr(state, name) for name in ServerState.__slots__}


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    found = Layout(tmp_path, tmp_path / "jars", brought=True)
    # an earlier server had the same trouble: that is over
    found.log.write_text("Terminating due to java.lang.OutOfMemoryError: Java heap space\n")
    return found


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path, cache=tmp_path, store=StoreSettings(heap="1g"))


@pytest.mark.parametrize("says", ["process", "state"])
@pytest.mark.parametrize(
    ("needs", "heaps"),
    [
        (1, ["1g"]),
        (3, ["1g", "4096m"]),
        (9, ["1g", "4096m", "16384m"]),
        (18, ["1g", "4096m", "16384m", "20480m"]),
    ],
)
def test_more_memory_is_given_until_it_starts(
    settings: Settings, layout: Layout, monkeypatch: pytest.MonkeyPatch, needs: int, heaps: list[str], says: str
) -> None:
    monkeypatch.setattr(starting, "memory_limit", lambda: 20 * GIGABYTE)
    starts, told = Starts(monkeypatch, layout, needs * GIGABYTE, says), []
    assert start_server(settings, layout, lambda what, done, total: told.append(what)) == "an endpoint"
    assert starts.heaps == heaps
    assert len(told) == len(heaps) - 1
    for before, after in itertools.pairwise(heaps):
        assert f"a heap of {before} was too small to start; started again with {after}" in layout.log.read_text()


def test_a_machine_without_more_memory_is_told(
    settings: Settings, layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting, "memory_limit", lambda: 2 * GIGABYTE)
    starts = Starts(monkeypatch, layout, 8 * GIGABYTE)
    with pytest.raises(StoreUnavailable, match="more than 2048m, and this machine has no more to give"):
        start_server(settings, layout, None)
    assert starts.heaps == ["1g", "2048m"]


def test_another_failure_is_no_reason_for_more_memory(
    settings: Settings, layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts = Starts(monkeypatch, layout, 8 * GIGABYTE, says="nothing")
    with pytest.raises(StoreUnavailable, match="its process ended"):
        start_server(settings, layout, None)
    assert starts.heaps == ["1g"]


def test_a_heap_never_shrinks_and_never_exceeds_the_limit() -> None:
    for limit in (0, 1, GIGABYTE, 3 * GIGABYTE, 7 * GIGABYTE, 100 * GIGABYTE):
        for heap in ("1m", "512m", "1g", "3g", "64g"):
            larger = larger_heap(heap, limit)
            assert larger is None or parse_memory(heap) < parse_memory(larger) <= limit


def test_the_limit_is_what_is_free_here_and_in_the_container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert 0 < memory_limit() < 1 << 50
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 9 kB\nMemAvailable:    4096 kB\n")
    assert memory._available(meminfo) == 4096 << 10
    (tmp_path / "memory.max").write_text("1000\n")
    (tmp_path / "memory.current").write_text("300\n")
    assert memory._free_of_groups(tmp_path) == [700, None]
    (tmp_path / "memory.max").write_text("max\n")
    assert memory._free_of_groups(tmp_path) == [None, None]
    meminfo.write_text("nonsense")
    assert memory._available(meminfo) is None


def test_a_state_tells_a_heap_only_where_it_is_not_that_of_the_settings(tmp_path: Path) -> None:
    """So that a program of before can read the state of a server that needed no more."""
    path = tmp_path / "server.json"
    write_state(path, FAILED)
    assert "heap" not in path.read_text()
    assert read_state(path) == FAILED
    larger = ServerState(**{**_values(FAILED), "heap": "4096m"})
    write_state(path, larger)
    assert read_state(path) == larger
