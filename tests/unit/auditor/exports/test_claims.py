"""Claims and manifests are read as they were written, by this version or an older one."""

from __future__ import annotations

import json
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.core.errors import BadInput
from auditor.exports.destination import Destination
from auditor.exports.manifest import manifest_path, read_manifest
from auditor.exports.publishing import Published, publish_release
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.ledger.chain import canonical_json
from auditor.subjects.networks.exports.claim_record import claim_as_record, claim_of
from auditor.subjects.networks.exports.network_release import NetworkRelease
from auditor.subjects.networks.exports.owner_claim_record import terms_as_record, terms_of
from auditor.subjects.networks.exports.rechecking import recheck_release
from graphkit.networks import SimpleGraph, anonymize
from graphkit.networks.verify import DegreeClaim, Terms

GRAPH = SimpleGraph.from_edges([(0, 1), (0, 2), (0, 3), (1, 2), (4, 5)], 8)
claims = st.builds(
    DegreeClaim,
    k=st.integers(1, 10**6),
    n=st.integers(0, 10**9),
    supergraph=st.booleans(),
    scope=st.sampled_from(["whole", "subset"]),
    earlier=st.integers(0, 9),
)


@pytest.fixture
def published(tmp_path: Path) -> Published:
    loaded = LoadedNetwork(GRAPH, np.arange(8))
    return publish_release(NetworkRelease(loaded, anonymize(GRAPH, 2), Destination(tmp_path / "r.csv")))


@given(claim=claims)
def test_a_claim_comes_back_from_its_record(claim: DegreeClaim) -> None:
    record = json.loads(json.dumps({"kind": "k-degree-anonymous network", **asdict(claim), "method": "x"}))
    assert claim_of(record) == claim


arrays = st.lists(st.integers(0, 10**9), max_size=4).map(lambda values: np.array(values, dtype=np.int64))
pairs = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=3)
numbers = st.none() | st.integers(0, 10**9)


@given(
    terms=st.builds(
        Terms,
        additions=numbers,
        deletions=numbers,
        subset=st.none() | arrays,
        forbidden_edges=st.none() | pairs.map(lambda values: np.array(values, dtype=np.int64).reshape(-1, 2)),
        forbidden_vertices=st.none() | arrays,
        max_increase=numbers,
        earlier_degrees=st.none() | st.tuples(st.integers(0, 3), st.integers(1, 3)).map(lambda s: np.full(s, -1)),
    )
)
def test_terms_come_back_from_their_record(terms: Terms) -> None:
    found = terms_of(json.loads(canonical_json(terms_as_record(terms))))
    for field in fields(Terms):
        one, other = getattr(terms, field.name), getattr(found, field.name)
        assert (one is None) == (other is None)
        assert np.array_equal(one, other)
        assert np.shape(one) == np.shape(other)


def test_terms_that_this_version_does_not_know_are_refused() -> None:
    with pytest.raises(BadInput, match="terms"):
        terms_of({"additions": 3, "forbidden_triangles": []})


def test_an_older_record_means_what_it_meant() -> None:
    old = {"k": 5, "n": 9, "supergraph": True, "attributes": [], "format": "csv", "method": "optimal"}
    assert claim_of(old) == DegreeClaim(5, 9)
    assert claim_of({**old, "supergraph": False}) == DegreeClaim(5, 9, supergraph=False)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "k-isomorphic network"},
        {"scope": "neighbourhoods"},
        {"k": "5"},
        {"k": 0},
        {"k": True},
        {"n": -1},
        {"n": 2.5},
        {"k": None},
        {"supergraph": "yes"},
        {"earlier": -1},
    ],
)
def test_a_record_that_cannot_be_checked_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="claim"):
        claim_of({"k": 5, "n": 9, **change})
    with pytest.raises(BadInput, match="claim"):
        claim_of({"n": 9})


def test_a_manifest_comes_back_from_its_file(published: Published) -> None:
    manifest = published.manifest
    path = manifest_path(published.files[0])
    found = read_manifest(path)
    assert found == replace(manifest, created_at=manifest.created_at.replace(microsecond=0))
    claim = DegreeClaim(2, 8, supergraph=False, scope="subset", earlier=2)
    subset = replace(found, claim=claim_as_record(claim, ("town",)))
    path.write_text(subset.text(), encoding="utf-8")
    assert read_manifest(path) == subset
    assert claim_of(read_manifest(path).claim) == claim


def test_a_manifest_of_the_first_version_is_read(published: Published) -> None:
    path = manifest_path(published.files[0])
    old = json.loads(path.read_text())
    old["claim"] = {"kind": "k-degree-anonymous network", "k": 2, "n": 8, "supergraph": True, "attributes": []}
    path.write_text(json.dumps(old))
    assert claim_of(read_manifest(path).claim) == claim_of(published.manifest.claim) == DegreeClaim(2, 8)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"manifest": 2}', '{"manifest": 1}', '{"manifest": 1, "export": "x", "files": []}', "\x00"],
)
def test_what_is_no_manifest_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "r.csv.manifest.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=r"r\.csv\.manifest\.json"):
        read_manifest(path)
    with pytest.raises(BadInput, match="cannot be read"):
        read_manifest(tmp_path / "absent.json")


def test_the_number_of_added_edges_is_checked_and_not_told(published: Published) -> None:
    (check,) = [check for check in published.manifest.verification.checks if check.name == "edges added"]
    assert check.passed
    assert not any(character.isdigit() for character in check.text)


def look(published: Published, claim: DegreeClaim, key: bool, terms: Terms | None = None) -> tuple[Any, ...]:
    manifest, path = published.manifest, published.files[0]
    relabelling = published.release.published if key else None
    found = recheck_release(path, manifest.files, claim, (), GRAPH, relabelling, terms=terms)
    failed = [check.name for check in found.verification.checks if not check.passed]
    return failed, [text.split(":")[0] for text in found.not_checked]


def test_with_the_key_every_promise_is_checked_again(published: Published) -> None:
    claim = claim_of(published.manifest.claim)
    added = published.release.released.graph.m - GRAPH.m
    assert look(published, claim, True, Terms(additions=added, deletions=0, max_increase=8)) == ([], [])
    assert look(published, claim, True, Terms(additions=added + 1)) == (["edges added"], [])


def test_without_the_key_what_cannot_be_checked_is_said(published: Published) -> None:
    claim = replace(claim_of(published.manifest.claim), earlier=1)
    earlier = np.zeros((8, 1), dtype=np.int64)
    assert look(published, claim, True, Terms(earlier_degrees=earlier)) == ([], [])
    left_out = ["contains the original", "k-anonymous with the earlier versions"]
    assert look(published, claim, False, Terms(earlier_degrees=earlier)) == ([], left_out)


def test_a_subset_that_nobody_knows_cannot_be_vouched_for(published: Published) -> None:
    claim = replace(claim_of(published.manifest.claim), scope="subset")
    everybody = Terms(subset=np.arange(8))
    assert look(published, claim, True, everybody) == ([], [])
    assert look(published, claim, True) == (["k-anonymous within the subset"], [])
    assert look(published, claim, False, everybody)[0] == ["k-anonymous within the subset"]


def test_attributes_must_not_single_out_a_protected_vertex(tmp_path: Path) -> None:
    # vertex 0 is the only one in town; it is safe to say so only where it is not to be protected
    towns = np.array(["x", *["y"] * 7], dtype=object)
    loaded = LoadedNetwork(GRAPH, np.arange(8), {"town": towns})
    # k = 1 at publication: the class of vertex 0 may be of one
    answer = replace(anonymize(GRAPH, 2), k=1)
    out = publish_release(NetworkRelease(loaded, answer, Destination(tmp_path / "r.csv", keep=("town",))))
    degrees = out.release.released.graph.degrees()[out.release.published]
    found_degrees, sizes = np.unique(degrees[1:], return_counts=True)
    same = 1 + np.flatnonzero(degrees[1:] == found_degrees[sizes >= 2][0])[:2]
    claim, path = DegreeClaim(2, 8, scope="subset"), out.files[0]

    def checks(subset: np.ndarray) -> list[str]:
        terms = Terms(subset=subset)
        digest = out.manifest.files[path.name]
        found = recheck_release(path, {path.name: digest}, claim, ("town",), GRAPH, out.release.published, terms=terms)
        return [check.name for check in found.verification.checks if not check.passed]

    assert checks(same) == []
    assert "attributes" in checks(np.arange(8))
