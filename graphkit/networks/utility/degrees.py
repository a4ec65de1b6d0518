"""Degrees: mean, largest, how alike those of neighbours are, and how far two distributions are apart."""

import math
from typing import NamedTuple

from graphkit.arrays import Ints
from graphkit.networks.utility.aspect import Aspect, Differences, Subject, defined
from graphkit.networks.utility.distances import distribution_distances
from graphkit.networks.utility.measure import Measure


class _Degrees(NamedTuple):
    degrees: Ints
    assortativity: float


def _measure(subject: Subject) -> _Degrees:
    mixing = subject.whole.assortativity_degree(directed=False) if subject.graph.m else math.nan
    return _Degrees(subject.degrees, float(mixing))


def _figures(found: _Degrees) -> tuple[Measure, ...]:
    degrees = found.degrees
    return (
        defined("mean degree", float(degrees.mean()) if degrees.size else math.nan, "no vertex"),
        defined("largest degree", float(degrees.max()) if degrees.size else math.nan, "no vertex"),
        defined("degree assortativity", found.assortativity, "all edges join equal degrees, or there is none"),
    )


def _differences(before: _Degrees, after: _Degrees, paired: bool) -> Differences:
    return Differences(distribution_distances("degree distribution", before.degrees, after.degrees))


DEGREES = Aspect(_measure, _figures, _differences)
