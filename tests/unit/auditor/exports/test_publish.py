"""What is published was verified after writing, and appears whole or not at all."""

import csv
import json
import os
import stat
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.core.errors import (
    AlreadyExists,
    AuditorError,
    BadInput,
    NotDelivered,
    NotFound,
    Refused,
    VerificationFailed,
)
from auditor.exports.destination import Destination
from auditor.exports.manifest import Manifest
from auditor.exports.publishing import Published, Release, publish_release
from auditor.formats.networks import known_formats, read_network
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.subjects.networks.exports import network_release as exports
from auditor.subjects.networks.exports.network_release import NetworkRelease
from graphkit.networks import SimpleGraph, anonymize
from tests.support.strategies import graphs

EDGES = [(0, 1), (0, 2), (0, 3), (1, 2), (4, 5)]


def network(edges: object = EDGES, n: int = 8, **attributes: list[str]) -> LoadedNetwork:
    labels = np.array([f"person {i}" for i in range(n)], dtype=object)
    columns = {name: np.array(values, dtype=object) for name, values in attributes.items()}
    return LoadedNetwork(SimpleGraph.from_edges(edges, n), labels, columns)


def publish(loaded: LoadedNetwork, path: Path, k: int = 2, **options: object) -> Published:
    recorder = options.pop("recorder", None)
    answer = anonymize(loaded.graph, k)
    return publish_release(NetworkRelease(loaded, answer, Destination(path, **options)), recorder)  # type: ignore[arg-type]


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("suffix", [suffix for info in known_formats() for suffix in info.suffixes])
def test_every_format_is_read_back_and_verified(tmp_path: Path, suffix: str) -> None:
    loaded = network()
    result = publish(loaded, tmp_path / f"released{suffix}")
    released = read_network(result.files[0])
    degrees = released.graph.degrees()
    assert released.graph.n == 8
    assert np.unique(degrees, return_counts=True)[1].min() >= 2
    moved = {tuple(sorted(edge)) for edge in result.release.published[loaded.graph.edges].tolist()}
    assert moved <= {tuple(edge) for edge in released.graph.edges.tolist()}
    assert all(check.passed for check in result.manifest.verification.checks)


@given(graph=graphs(min_n=2, max_n=15), data=st.data())
@settings(max_examples=30, deadline=None)
def test_every_network_comes_out_anonymous_and_contains_the_original(
    tmp_path_factory: pytest.TempPathFactory, graph: SimpleGraph, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("out")
    k = data.draw(st.integers(2, graph.n))
    loaded = LoadedNetwork(graph, np.arange(graph.n) * 7)
    result = publish(loaded, folder / "released.csv", k)
    assert result.release.released.graph.n == graph.n
    assert np.unique(result.release.released.graph.degrees(), return_counts=True)[1].min() >= k


def test_ids_are_fresh_at_every_export(tmp_path: Path) -> None:
    loaded = network(n=40)
    first, second = (publish(loaded, tmp_path / name) for name in ("a.csv", "b.csv"))
    assert not np.array_equal(first.release.published, second.release.published)
    assert first.manifest.export != second.manifest.export
    assert sorted(first.release.published.tolist()) == list(range(40))


def test_edges_are_sorted_after_relabelling_so_that_position_tells_nothing(tmp_path: Path) -> None:
    result = publish(network(n=40), tmp_path / "released.csv")
    rows = [tuple(map(int, row)) for row in list(csv.reader(result.files[0].open()))[1:]]
    assert rows == sorted(rows)
    assert all(low < high for low, high in rows)


def test_the_manifest_holds_no_label_no_seed_and_no_number_of_added_edges(tmp_path: Path) -> None:
    result = publish(network(), tmp_path / "released.csv")
    text = (tmp_path / "released.csv.manifest.json").read_text()
    manifest = json.loads(text)
    assert "person" not in text
    assert "seed" not in text
    assert set(manifest) == {
        *("manifest", "export", "format", "files", "check", "claim", "verification", "created_at", "made_by")
    }
    assert set(manifest["claim"]) == {"kind", "k", "n", "supergraph", "scope", "earlier", "attributes"}
    assert set(manifest["files"]) == {path.name for path in result.files if "manifest" not in path.name}


def test_the_key_file_is_for_the_owner_alone_and_never_overwritten(tmp_path: Path) -> None:
    loaded, key = network(), tmp_path / "key.csv"
    result = publish(loaded, tmp_path / "released.csv", key_file=key)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    rows = list(csv.DictReader(key.open()))
    assert {row["original"]: int(row["published"]) for row in rows} == dict(
        zip(loaded.labels.tolist(), result.release.published.tolist(), strict=True)
    )
    before = key.read_bytes()
    with pytest.raises(AlreadyExists):
        publish(loaded, tmp_path / "again.csv", key_file=key, force=True)
    assert key.read_bytes() == before
    assert not (tmp_path / "again.csv").exists()


@pytest.mark.parametrize("name", ["key.parquet", "key.json", "key.csv.gz"])
def test_a_key_file_with_the_name_of_another_format_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="as CSV"):
        publish(network(), tmp_path / "released.csv", key_file=tmp_path / name)
    assert leftovers(tmp_path) == []


def test_attributes_leave_only_when_named(tmp_path: Path) -> None:
    loaded = network(town=["x"] * 8, name=[f"n{i}" for i in range(8)])
    assert publish(loaded, tmp_path / "none.graphml").release.released.attributes == {}
    kept = publish(loaded, tmp_path / "town.graphml", keep=("town",))
    assert {name: set(values) for name, values in kept.release.released.attributes.items()} == {"town": {"x"}}
    assert kept.manifest.claim["attributes"] == ["town"]


def test_kept_attributes_go_with_their_vertex(tmp_path: Path) -> None:
    loaded = network([], 8, half=["left"] * 4 + ["right"] * 4)
    result = publish(loaded, tmp_path / "released.csv", keep=("half",))
    assert all(
        result.release.released.attributes["half"][result.release.published[v]] == ("left", "right")[v >= 4]
        for v in range(8)
    )


def test_attributes_that_single_somebody_out_together_with_the_degree_are_refused(tmp_path: Path) -> None:
    loaded = network(town=["x"] * 7 + ["y"])
    with pytest.raises(Refused, match="town") as caught:
        publish(loaded, tmp_path / "released.csv", keep=("town",))
    assert "y" not in str(caught.value).replace("any", "").split()
    assert leftovers(tmp_path) == []


def test_an_unknown_attribute_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no vertex attribute"):
        publish(network(), tmp_path / "released.csv", keep=("salary",))


def test_an_existing_file_stays_unless_force_is_said(tmp_path: Path) -> None:
    path = tmp_path / "released.csv"
    path.write_text("precious")
    with pytest.raises(AlreadyExists):
        publish(network(), path)
    assert path.read_text() == "precious"
    publish(network(), path, force=True)
    assert read_network(path).graph.n == 8


def test_the_vertex_file_of_a_replaced_network_does_not_stay(tmp_path: Path) -> None:
    path = tmp_path / "released.csv"
    publish(network(), path)
    assert (tmp_path / "released.vertices.csv").exists()
    publish(network([(0, 1), (1, 2), (2, 0), (3, 4)], 5), path, force=True)
    assert leftovers(tmp_path) == ["released.csv", "released.csv.manifest.json"]
    assert read_network(path).graph.n == 5


@pytest.mark.parametrize(
    ("path", "error"), [("missing/released.csv", NotFound), (".", BadInput), ("released.xyz", BadInput)]
)
def test_a_bad_destination_is_refused_before_any_work(tmp_path: Path, path: str, error: type[AuditorError]) -> None:
    with pytest.raises(error) as caught:
        publish(network(), tmp_path / path)
    assert caught.value.exit_code == 2
    assert leftovers(tmp_path) == []


def test_a_file_that_appears_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "released.csv"

    class Intruder:
        def record(self, *arguments: object) -> None:
            path.write_text("theirs")

        def mark_published(self, export_id: str) -> None:
            raise AssertionError("nothing was published")

    with pytest.raises(NotDelivered, match="appeared while"):
        publish(network(), path, recorder=Intruder(), key_file=tmp_path / "key.csv")
    assert path.read_text() == "theirs"
    assert leftovers(tmp_path) == ["released.csv"]


def test_nothing_appears_when_the_record_fails(tmp_path: Path) -> None:
    class Broken:
        def record(self, *arguments: object) -> None:
            raise AuditorError("the store is away")

    with pytest.raises(AuditorError, match="away"):
        publish(network(), tmp_path / "released.csv", recorder=Broken(), key_file=tmp_path / "key.csv")
    assert leftovers(tmp_path) == []


def test_the_record_comes_before_the_file_and_the_mark_after_it(tmp_path: Path) -> None:
    path, seen = tmp_path / "released.csv", []

    class Recorder:
        def record(self, manifest: Manifest, release: Release) -> None:
            seen.append(("record", sorted(release.published), path.exists(), manifest.verification.passed))

        def mark_published(self, export_id: str) -> None:
            seen.append(("published", path.exists()))

    publish(network(), path, recorder=Recorder())
    assert seen == [("record", [*range(8)], False, True), ("published", True)]


DAMAGE = {
    "an edge is lost": lambda lines: lines[:-1],
    "an edge is written twice": lambda lines: [*lines, lines[-1]],
    "an edge is turned into a loop": lambda lines: [*lines[:-1], "3,3"],
    "two ids are swapped": lambda lines: [
        ",".join({"0": "1", "1": "0"}.get(part, part) for part in line.split(",")) for line in lines
    ],
    "a column is added": lambda lines: [f"{line},{i}" for i, line in enumerate(lines)],
    "everything is lost": lambda lines: lines[:1],
}


@pytest.mark.parametrize("damage", sorted(DAMAGE))
def test_damage_between_memory_and_disk_is_found_and_nothing_is_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    def damaged_write(path: Path, *arguments: object, **options: object) -> list[Path]:
        written = write(path, *arguments, **options)
        lines = path.read_text().splitlines()
        path.write_text("\n".join(DAMAGE[damage](lines)) + "\n")
        return written

    write = exports.write_network
    monkeypatch.setattr(exports, "write_network", damaged_write)
    edges = [(i, i + 1) for i in range(9)] + [(0, 5), (2, 7)]
    with pytest.raises(VerificationFailed) as caught:
        publish(network(edges, 10), tmp_path / "released.csv", 5)
    assert caught.value.exit_code == 3
    assert leftovers(tmp_path) == []


def test_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, *arguments: object, **options: object) -> list[Path]:
        raise OSError(28, os.strerror(28), str(path))

    monkeypatch.setattr(exports, "write_network", full)
    with pytest.raises(NotDelivered, match="full") as caught:
        publish(network(), tmp_path / "released.csv")
    assert caught.value.exit_code == 4
    assert leftovers(tmp_path) == []


def test_what_a_killed_export_left_behind_is_removed_by_the_next(tmp_path: Path) -> None:
    abandoned = tmp_path / ".auditor-0123456789abcdef.part"
    (abandoned / "files").mkdir(parents=True)
    (abandoned / "lock").touch()
    (abandoned / "files" / "released.csv").write_text("half")
    publish(network(), tmp_path / "released.csv")
    assert leftovers(tmp_path) == ["released.csv", "released.csv.manifest.json", "released.vertices.csv"]
