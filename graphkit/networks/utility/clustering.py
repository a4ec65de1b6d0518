"""Clustering: how often two neighbours of a vertex are neighbours."""

from __future__ import annotations

from typing import NamedTuple

from graphkit.networks.utility.aspect import Aspect, Subject, defined
from graphkit.networks.utility.measure import Measure


class _Clustering(NamedTuple):
    overall: float
    mean: float


def _measure(subject: Subject) -> _Clustering:
    whole = subject.whole
    return _Clustering(
        float(whole.transitivity_undirected()), float(whole.transitivity_avglocal_undirected(mode="nan"))
    )


def _figures(found: _Clustering) -> tuple[Measure, ...]:
    return (
        defined("global clustering", found.overall, "no two edges meet"),
        defined("local clustering", found.mean, "no vertex has two neighbours"),
    )


CLUSTERING = Aspect(_measure, _figures)
