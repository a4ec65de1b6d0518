"""A published file is looked at again: what changed since is found."""

from pathlib import Path

import numpy as np
import pytest

from auditor.exports.destination import Destination
from auditor.exports.network import PublishedNetwork, publish_network
from auditor.exports.rechecking import Recheck, recheck_release
from auditor.formats.network import LoadedNetwork
from graphkit.networks import SimpleGraph, anonymize

GRAPH = SimpleGraph.from_edges([(0, 1), (0, 2), (0, 3), (1, 2), (4, 5)], 8)


@pytest.fixture
def published(tmp_path: Path) -> PublishedNetwork:
    attributes = {"town": np.array(["x"] * 8, dtype=object)}
    loaded = LoadedNetwork(GRAPH, np.arange(8), attributes)
    return publish_network(loaded, anonymize(GRAPH, 2).edges, 2, Destination(tmp_path / "r.csv", keep=("town",)))


def look(published: PublishedNetwork, key: np.ndarray | None = None) -> Recheck:
    manifest, path = published.manifest, published.files[0]
    digest = manifest.files[path.name]
    return recheck_release(path, digest, manifest.claim, manifest.kept_attributes, GRAPH, key)


def failed(recheck: Recheck) -> list[str]:
    return [check.name for check in recheck.verification.checks if not check.passed]


def test_an_untouched_file_passes_with_and_without_the_key(published: PublishedNetwork) -> None:
    with_key = look(published, published.published)
    assert failed(with_key) == []
    assert with_key.graph is not None
    assert "contains the original" in [check.name for check in with_key.verification.checks]
    without = look(published)
    assert failed(without) == []
    assert "contains the original" not in [check.name for check in without.verification.checks]


def test_a_missing_file_is_told(published: PublishedNetwork) -> None:
    published.files[0].unlink()
    found = look(published, published.published)
    assert failed(found) == ["file"]
    assert found.graph is None


def test_a_changed_file_is_told_and_not_measured(published: PublishedNetwork) -> None:
    path = published.files[0]
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")
    found = look(published, published.published)
    assert "checksum" in failed(found)
    assert found.graph is None


def test_a_file_of_junk_is_told(published: PublishedNetwork) -> None:
    published.files[0].write_bytes(b"\x00\x01junk")
    assert failed(look(published)) == ["checksum", "readable"]


def test_attributes_that_were_added_or_taken_away_are_told(published: PublishedNetwork) -> None:
    (vertices,) = [path for path in published.files if path.name.endswith(".vertices.csv")]
    text = vertices.read_text()
    vertices.write_text(text.replace("town", "city"))
    assert failed(look(published)) == ["attributes"]
    vertices.write_text(text.replace("x", "y", 1))
    assert failed(look(published)) == ["attributes"]


def test_the_wrong_key_is_told(published: PublishedNetwork) -> None:
    assert failed(look(published, np.roll(published.published, 1))) == ["contains the original"]
