"""A published file is looked at again: what changed since is found."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from auditor.exports.destination import Destination
from auditor.exports.publishing import Published, publish_release
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.subjects.networks.exports.claim_record import claim_of
from auditor.subjects.networks.exports.matching import was_changed
from auditor.subjects.networks.exports.network_release import NetworkRelease
from auditor.subjects.networks.exports.rechecking import Recheck, recheck_release
from graphkit.networks import SimpleGraph, anonymize

GRAPH = SimpleGraph.from_edges([(0, 1), (0, 2), (0, 3), (1, 2), (4, 5)], 8)


@pytest.fixture
def published(tmp_path: Path) -> Published:
    attributes = {"town": np.array(["x"] * 8, dtype=object)}
    loaded = LoadedNetwork(GRAPH, np.arange(8), attributes)
    return publish_release(NetworkRelease(loaded, anonymize(GRAPH, 2), Destination(tmp_path / "r.csv", keep=("town",))))


def look(published: Published, key: np.ndarray | None = None) -> Recheck:
    manifest, path = published.manifest, published.files[0]
    return recheck_release(
        path, manifest.files, claim_of(manifest.claim), tuple(manifest.claim["attributes"]), GRAPH, key
    )


def failed(recheck: Recheck) -> list[str]:
    return [check.name for check in recheck.verification.checks if not check.passed]


def test_an_untouched_file_passes_with_and_without_the_key(published: Published) -> None:
    with_key = look(published, published.release.published)
    assert failed(with_key) == []
    assert with_key.graph is not None
    assert "contains the original" in [check.name for check in with_key.verification.checks]
    without = look(published)
    assert failed(without) == []
    assert "contains the original" not in [check.name for check in without.verification.checks]


def test_a_missing_file_is_told(published: Published) -> None:
    published.files[0].unlink()
    found = look(published, published.release.published)
    assert failed(found) == ["file"]
    assert found.graph is None


def test_a_changed_file_is_told_and_not_measured(published: Published) -> None:
    path = published.files[0]
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")
    found = look(published, published.release.published)
    assert "checksum" in failed(found)
    assert found.graph is None


def test_a_file_of_junk_is_told(published: Published) -> None:
    published.files[0].write_bytes(b"\x00\x01junk")
    assert failed(look(published)) == ["checksum", "readable"]


def test_attributes_that_were_added_or_taken_away_are_told(published: Published) -> None:
    (vertices,) = [path for path in published.files if path.name.endswith(".vertices.csv")]
    text = vertices.read_text()
    vertices.write_text(text.replace("town", "city"))
    assert failed(look(published)) == ["checksum", "attributes"]
    vertices.write_text(text.replace("x", "y", 1))
    assert failed(look(published)) == ["checksum", "attributes"]


def test_the_wrong_key_is_told(published: Published) -> None:
    assert failed(look(published, np.roll(published.release.published, 1))) == ["contains the original"]


@pytest.fixture
def in_two_files(tmp_path: Path) -> Published:
    # vertices 6 and 7 have no edge, and no attribute tells of them: they are in a file of their own
    return publish_release(
        NetworkRelease(LoadedNetwork(GRAPH, np.arange(8), {}), anonymize(GRAPH, 2), Destination(tmp_path / "h.csv"))
    )


def test_every_file_has_its_digest_in_the_manifest_and_a_line_to_check_it(in_two_files: Published) -> None:
    folder = in_two_files.files[0].parent
    names = [path.name for path in in_two_files.files]
    assert names == ["h.csv", "h.vertices.csv", "h.csv.manifest.json"]
    manifest = json.loads(in_two_files.files[2].read_text())
    assert list(manifest["files"]) == names[:2]
    lines = "\n".join(manifest["check"]) + "\n"
    command = ["sha256sum", "--check", "--strict"]
    assert subprocess.run(command, input=lines, text=True, cwd=folder, capture_output=True).returncode == 0
    with (folder / "h.vertices.csv").open("a") as stream:
        stream.write("\n")
    done = subprocess.run(command, input=lines, text=True, cwd=folder, capture_output=True)
    assert done.returncode == 1
    assert "h.vertices.csv: FAILED" in done.stdout


@pytest.mark.parametrize("with_key", [True, False])
def test_a_second_file_that_was_changed_is_told(in_two_files: Published, with_key: bool) -> None:
    key = in_two_files.release.published if with_key else None
    assert failed(look(in_two_files, key)) == []
    path = in_two_files.files[1]
    # the same vertices in another order: the network is the same, the file is not
    head, *rows = path.read_text().splitlines()
    path.write_text("\n".join([head, *reversed(rows)]) + "\n")
    found = look(in_two_files, key)
    assert failed(found) == ["checksum"]
    assert [check.text for check in found.verification.checks if not check.passed] == [
        "h.vertices.csv: changed since publication"
    ]
    assert was_changed(in_two_files.files[0])


@pytest.mark.parametrize("with_key", [True, False])
def test_a_second_file_that_is_gone_is_told(in_two_files: Published, with_key: bool) -> None:
    in_two_files.files[1].unlink()
    found = look(in_two_files, in_two_files.release.published if with_key else None)
    assert failed(found) == ["file"]
    assert "h.vertices.csv" in found.verification.checks[0].text
    assert was_changed(in_two_files.files[0])
