"""Parts of the store that need no database."""

from __future__ import annotations

import multiprocessing
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.core.clock import parse_time, time_text
from auditor.core.errors import AlreadyExists, BadFile, BadInput, NotDelivered
from auditor.core.staging import written_aside
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.store.backups.file import check_backup, read_records, write_records
from auditor.store.owner import Owner
from auditor.subjects.networks.checksum import network_checksum
from auditor.subjects.networks.parts import vertex_ranges
from graphkit.networks.graphs.graph import SimpleGraph

HEADER = {"kind": "backup", "version": 1, "schema": 1}


def objects(*values: str) -> np.ndarray:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


PATH = SimpleGraph.from_edges([(0, 1), (1, 2)])
BASE = LoadedNetwork(PATH, objects("a", "b", "c"), {"x": objects("1", "2", ""), "y": objects("", "", "")})


@pytest.mark.parametrize(
    "other",
    [
        replace(BASE, graph=SimpleGraph.from_edges([(0, 1), (0, 2)])),
        replace(BASE, graph=SimpleGraph.from_edges([(0, 1)], n=3)),
        replace(BASE, labels=objects("a", "bc", "")),
        replace(BASE, labels=np.array([1, 2, 3])),
        replace(BASE, attributes={}),
        replace(BASE, attributes={"x": BASE.attributes["x"]}),
        replace(BASE, attributes={"x": BASE.attributes["x"], "z": BASE.attributes["y"]}),
        replace(BASE, attributes={"x": objects("", "12", ""), "y": BASE.attributes["y"]}),
        replace(BASE, attributes={"x": BASE.attributes["y"], "y": BASE.attributes["x"]}),
    ],
)
def test_every_difference_of_content_changes_the_checksum(other: LoadedNetwork) -> None:
    assert network_checksum(other) != network_checksum(BASE)


def test_the_order_of_attributes_and_the_origin_do_not_change_the_checksum() -> None:
    turned = LoadedNetwork(PATH, BASE.labels, dict(reversed(BASE.attributes.items())))
    assert network_checksum(turned) == network_checksum(BASE)


def test_numbers_as_text_are_other_labels() -> None:
    numbers = LoadedNetwork(PATH, np.array([1, 2, 3]))
    assert network_checksum(numbers) != network_checksum(LoadedNetwork(PATH, objects("1", "2", "3")))


@given(
    st.datetimes(
        datetime(2, 1, 1),
        datetime(9999, 12, 30),
        timezones=st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30))]),
    )
)
def test_times_come_back_and_sort_as_text(at: datetime) -> None:
    assert parse_time(time_text(at)) == at
    assert time_text(at) < time_text(at + timedelta(microseconds=1))


class Parts:
    """Answers the one query of vertex_ranges from a list of counts."""

    def __init__(self, counts: dict[int, int]) -> None:
        self.counts = counts

    def read(self, query: str, *, network: int, step: int) -> list[dict[str, int]]:
        self.step = step
        return [{"part": part, "edges": edges} for part, edges in sorted(self.counts.items())]


@given(st.dictionaries(st.integers(0, 30), st.integers(0, 50), max_size=12), st.integers(1, 3000), st.integers(0, 100))
def test_ranges_cover_every_part_once_within_their_limits(counts: dict[int, int], vertices: int, edges: int) -> None:
    parts = Parts(counts)
    ranges = vertex_ranges(parts, 1, vertices, edges)  # type: ignore[arg-type]
    covered = [[part for part in sorted(counts) if start <= part * parts.step < end] for start, end in ranges]
    assert [part for chunk in covered for part in chunk] == sorted(counts)
    assert all(ranges[i][1] <= ranges[i + 1][0] for i in range(len(ranges) - 1))
    for chunk, (start, end) in zip(covered, ranges, strict=True):
        assert len(chunk) == 1 or (sum(counts[part] for part in chunk) <= edges and end - start <= vertices)


def test_a_backup_file_holds_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "b"
    records = [HEADER, {"kind": "node", "properties": {"t": "é\n\u2028", "i": -(2**63), "f": 0.1, "b": b"\x00\xff"}}]
    with path.open("wb") as stream:
        digest = write_records(records, stream)
    assert check_backup(path) == (HEADER, digest)
    *found, end = read_records(path)
    assert found == records
    assert end == {"kind": "end", "lines": 2, "sha256": digest}


@pytest.mark.parametrize("records", [[], [{"kind": "node"}], [{**HEADER, "version": 2}]])
def test_what_is_no_backup_of_this_version_is_refused(tmp_path: Path, records: list[dict[str, object]]) -> None:
    path = tmp_path / "b"
    with path.open("wb") as stream:
        write_records(records, stream)
    with pytest.raises(BadFile):
        check_backup(path)


@given(data=st.data())
def test_no_changed_byte_goes_unnoticed(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.mktemp("backup") / "b"
    with path.open("wb") as stream:
        digest = write_records([HEADER, *({"kind": "node", "i": i} for i in range(50))], stream)
    content = bytearray(path.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    try:
        found = check_backup(path)
    except BadFile:
        return
    # a changed byte that changes nothing of the text, such as a hint in the frame's head
    assert found == (HEADER, digest)
    assert [record["i"] for record in read_records(path) if record["kind"] == "node"] == list(range(50))


def _own(connection: object) -> None:
    with Owner.working() as owner:
        connection.send(owner.text)  # type: ignore[attr-defined]
        connection.recv()  # type: ignore[attr-defined]
        os._exit(0)


def test_an_owner_lives_as_long_as_its_work_and_its_process() -> None:
    processes = multiprocessing.get_context("fork")
    here, there = processes.Pipe()
    child = processes.Process(target=_own, args=(there,))
    child.start()
    owner = Owner.parse(here.recv())
    assert owner.lives(1)
    assert not owner.lives(0)
    assert not replace(owner, started="1").lives(1)
    assert replace(owner, machine="elsewhere").lives(1)
    child.kill()
    child.join()
    assert not owner.lives(1)
    # on another machine only the lease can tell
    assert replace(owner, machine="elsewhere").lives(1)


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "f"

    def fail() -> None:
        with written_aside(path) as stream:
            stream.write(b"half")
            assert not path.exists()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert list(tmp_path.iterdir()) == []
    with written_aside(path) as stream:
        stream.write(b"whole")
    assert path.read_bytes() == b"whole"
    with pytest.raises(AlreadyExists), written_aside(path):
        pass
    with written_aside(path, force=True) as stream:
        stream.write(b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_appears_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "f"
    with pytest.raises(NotDelivered, match="appeared while"), written_aside(path):
        path.write_text("theirs")
    assert path.read_text() == "theirs"


def test_a_full_disk_and_a_missing_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(NotDelivered, match="full"), written_aside(tmp_path / "f"):
        raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []
    for path in (tmp_path, tmp_path / "missing" / "f"):
        with pytest.raises(BadInput), written_aside(path):
            pass
