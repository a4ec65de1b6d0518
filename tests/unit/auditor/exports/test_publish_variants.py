"""Exports under constraints: the typed claim is what was written, and stays checkable."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from auditor.core.errors import Refused, VerificationFailed
from auditor.exports.destination import Destination
from auditor.exports.manifest import read_manifest
from auditor.exports.publishing import Published, publish_release
from auditor.formats.networks import read_network
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.subjects.networks.exports.claim_record import claim_of
from auditor.subjects.networks.exports.network_release import NetworkRelease
from auditor.subjects.networks.exports.rechecking import recheck_release
from graphkit.networks import ConstrainedAnonymization, Constraints, SimpleGraph, anonymize_under

GRAPH = SimpleGraph.from_edges([(0, i) for i in range(1, 8)] + [(1, i) for i in range(2, 6)] + [(8, 9)], 12)
LIMITS = {
    "subset": Constraints(subset=np.arange(6)),
    "forbidden": Constraints(forbidden_edges=np.array([[2, 3]]), forbidden_vertices=np.array([11])),
    "increase": Constraints(max_increase=6),
    "earlier": Constraints(earlier_degrees=np.repeat([[1], [2]], 6, axis=0)),
}


def network(**attributes: list[str]) -> LoadedNetwork:
    labels = np.array([f"person {i}" for i in range(GRAPH.n)], dtype=object)
    return LoadedNetwork(GRAPH, labels, {name: np.array(v, dtype=object) for name, v in attributes.items()})


def publish(path: Path, result: ConstrainedAnonymization, loaded: LoadedNetwork, **options: object) -> Published:
    return publish_release(NetworkRelease(loaded, result, Destination(path, **options)))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("allow", [("add",), ("add", "delete")])
def test_what_was_written_holds_its_claim_and_can_be_checked_again(
    tmp_path: Path, name: str, allow: tuple[str, ...]
) -> None:
    result = anonymize_under(GRAPH, 2, LIMITS[name], allow=allow)
    assert result.status != "infeasible"
    done = publish(tmp_path / "released.csv", result, network())
    assert done.release.released.graph.m == GRAPH.m + result.added.shape[0] - result.deleted.shape[0]
    manifest = read_manifest(Path(f"{done.files[0]}.manifest.json"))
    claim = claim_of(manifest.claim)
    assert claim == result.claim(GRAPH.n)
    again = recheck_release(
        done.files[0],
        manifest.files,
        claim,
        (),
        GRAPH,
        done.release.published,
        terms=result.terms(),
    )
    assert again.verification.passed


def test_deleted_edges_are_gone(tmp_path: Path) -> None:
    result = anonymize_under(GRAPH, 3, allow=("add", "delete"))
    assert result.deleted.size
    done = publish(tmp_path / "released.csv", result, network())
    edges = {tuple(edge) for edge in read_network(done.files[0]).graph.edges.tolist()}
    for edge in done.release.published[result.deleted].tolist():
        assert tuple(sorted(edge)) not in edges


def test_a_broken_term_is_not_published(tmp_path: Path) -> None:
    added = np.array([[1, 6]])
    limits = Constraints(subset=np.array([2, 3]), forbidden_edges=added)
    broken = ConstrainedAnonymization(2, "none", limits, "feasible", added, np.empty((0, 2), dtype=np.int64), 0)
    with pytest.raises(VerificationFailed, match="forbidden edges"):
        publish(tmp_path / "released.csv", broken, network())
    assert list(tmp_path.iterdir()) == []


def test_attributes_of_vertices_outside_the_subset_single_nobody_out(tmp_path: Path) -> None:
    towns = ["x"] * 6 + [f"town {i}" for i in range(6)]
    result = anonymize_under(GRAPH, 2, LIMITS["subset"])
    done = publish(tmp_path / "released.csv", result, network(town=towns), keep=("town",))
    assert done.manifest.claim["attributes"] == ["town"]
    with pytest.raises(Refused):
        publish(tmp_path / "other.csv", result, network(town=towns[::-1]), keep=("town",))
