"""Peers of freeform generalization: what they lose on the same records, in the same run, and whether they hold k."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks import freeform_peer_process
from benchmarks.adult import Adult, Codes, load_adult
from benchmarks.peer_pythons import asked
from benchmarks.row import Row
from graphkit.microdata import generalize
from graphkit.microdata.generalization.baselines.mondrian import mondrian
from graphkit.microdata.generalization.baselines.partition import class_extents
from graphkit.microdata.generalization.bounding.mip import optimum
from graphkit.microdata.generalization.extents import joined, layout_of, losses_of
from graphkit.microdata.risk.classes import equivalence_classes
from graphkit.microdata.risk.closeness import t_closeness
from graphkit.microdata.risk.coded import code_records
from graphkit.microdata.risk.diversity import l_diversity
from graphkit.microdata.risk.sensitive_counts import sensitive_counts

_K, _SMALL = 5, 1000
_PEERS = {
    "umbra_k": "umbra-k",
    "anonypy": "anonypy",
    "project_lighthouse_anonymize": "project-lighthouse-anonymize",
}
_SECONDS = 900.0
_TINY, _TINY_BAR = 40, 95.0
_LEAST_TINY, _MOST_TINY, _LARGEST_K = 6, 12, 4


def peer_rows(data_dir: Path | None) -> Iterator[Row]:
    """GCP by our NCP, time, and the k that their classes have; ours beside them."""
    adult = load_adult(data_dir)
    if adult is None:
        return
    generalize(adult.sample(40), adult.attributes, 3, effort=0.01)
    for codes in (adult.sample(_SMALL), adult.codes):
        work = f"freeform: Adult, n = {len(codes)}, k = {_K}"
        found = {module: _peer(adult, codes, module, name, work) for module, name in _PEERS.items()}
        rows = [row for of_peer in found.values() for row in of_peer]
        if not rows:
            return
        yield from rows
        losses = [row.value for row in rows if row.work.endswith("GCP")]
        began = time.perf_counter()
        ours = generalize(codes, adult.attributes, _K)
        yield Row(f"{work}, beside peers: GCP", ours.loss, "", min(losses, default=None), "the best peer")
        yield Row(f"{work}, beside peers: time", time.perf_counter() - began, "s")
    yield from _classic(adult)


def _peer(adult: Adult, codes: Codes, module: str, name: str, work: str) -> list[Row]:
    """Return the rows of a peer; one that has not ended in time has no figures."""
    # peers are told that the first attribute is a number
    order = sorted(range(len(adult.attributes)), key=lambda place: adult.attributes[place].kind != "range")
    sizes = [adult.attributes[place].size for place in order]
    words = {"k": _K, "records": codes[:, order].tolist(), "sizes": sizes}
    try:
        found = asked(freeform_peer_process.__file__, module, words, _SECONDS)
    except subprocess.TimeoutExpired:
        return [Row(f"{work}, {name}: not done, time", _SECONDS, "s")]
    if found is None:
        return []
    classes = np.array(found["classes"], dtype=np.int64)
    kept = classes >= 0
    loss = _gcp(adult, codes, classes, [[record, order[place]] for record, place in found["whole"]])
    smallest = int(np.unique(classes[kept], return_counts=True)[1].min())
    return [
        Row(f"{work}, {name}: GCP", loss, ""),
        Row(f"{work}, {name}: time", found["seconds"], "s"),
        Row(f"{work}, {name}: smallest class", float(smallest), "records", float(_K), at_least=True),
        Row(f"{work}, {name}: left out", 100 * float((~kept).mean()), "%"),
    ]


def _gcp(adult: Adult, codes: Codes, classes: Codes, whole: list[list[int]]) -> float:
    """Return GCP of what is published: what a class covers, or the whole domain, as for what is left out."""
    parts = []
    kept = np.flatnonzero(classes >= 0)
    everywhere = np.zeros(codes.shape, dtype=np.bool_)
    for record, place in whole:
        everywhere[record, place] = True
    everywhere[classes < 0] = True
    weights = np.array([attribute.weight for attribute in adult.attributes])
    for place, attribute in enumerate(adult.attributes):
        layout = layout_of([attribute])
        column = codes[:, place : place + 1]
        lost = np.ones(len(codes))
        numbered = np.unique(classes[kept], return_inverse=True)[1].reshape(-1)
        lost[kept] = losses_of(layout, class_extents(layout, column[kept], numbered))
        lost[everywhere[:, place]] = 1.0
        parts.append(lost.mean())
    return float((np.array(parts) * weights).sum() / weights.sum())


def _classic(adult: Adult) -> Iterator[Row]:
    """k, l and t of all records of a file of classes, whose last attribute is the sensitive one."""
    codes = adult.codes
    held = mondrian(codes[:, :-1], adult.attributes[:-1], _K)
    # every record has the values of one record of its class
    first = np.unique(held, return_index=True, return_inverse=True)
    published = np.concatenate((codes[first[1]][first[2].reshape(-1), :-1], codes[:, -1:]), axis=1)
    words = {"k": _K, "records": published.tolist(), "sizes": []}
    found = asked(freeform_peer_process.__file__, "pycanon", words, _SECONDS)
    if found is None:
        return
    names = [f"x{place}" for place in range(published.shape[1])]
    began = time.perf_counter()
    records = code_records(dict(zip(names, published.T, strict=True)))
    classes = equivalence_classes(records, names[:-1])
    counted = sensitive_counts(classes, records.columns[names[-1]])
    k, l = classes.risk(_K).smallest_class, l_diversity(counted).smallest_distinct  # noqa: E741
    t = t_closeness(counted).largest_distance
    seconds = time.perf_counter() - began
    assert (k, l) == (found["k"], found["l"])
    assert np.isclose(t, found["t"], atol=1e-9)
    work = f"freeform: Adult, n = {len(codes)}, k, l and t of a file of classes"
    yield Row(f"{work}: time", seconds, "s", found["seconds"], f"pycanon: {found['seconds']:.2f}")


def tiny_rows(data_dir: Path | None) -> Iterator[Row]:
    """How often the default method finds the optimum of tiny inputs, which a program over all stars proves."""
    adult = load_adult(data_dir)
    if adult is None:
        return
    draw, layout, equal = np.random.default_rng(0), layout_of(adult.attributes), 0
    for _ in range(_TINY):
        n, k = int(draw.integers(_LEAST_TINY, _MOST_TINY + 1)), int(draw.integers(2, _LARGEST_K + 1))
        codes = adult.codes[draw.choice(len(adult.codes), n, replace=False)]
        least = losses_of(layout, joined(layout, codes, optimum(codes, adult.attributes, k))).mean()
        loss = generalize(codes, adult.attributes, k).loss
        assert loss >= least - 1e-9
        equal += bool(loss <= least + 1e-9)
    work = f"freeform: {_TINY} subsets of Adult, n ≤ {_MOST_TINY}, k ≤ {_LARGEST_K}: the default is optimal"
    yield Row(work, 100 * equal / _TINY, "%", _TINY_BAR, "mixed-integer program", at_least=True)
