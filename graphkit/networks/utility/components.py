"""Components: how many there are, and how much is in the largest."""

from __future__ import annotations

import math
from typing import NamedTuple

from graphkit.networks.utility.aspect import Aspect, Subject, defined
from graphkit.networks.utility.measure import Measure


class _Components(NamedTuple):
    vertices: int
    number: int
    largest: int


def _measure(subject: Subject) -> _Components:
    sizes = subject.whole.connected_components().sizes()
    return _Components(subject.graph.n, len(sizes), max(sizes, default=0))


def _figures(found: _Components) -> tuple[Measure, ...]:
    share = found.largest / found.vertices if found.vertices else math.nan
    return (
        Measure("components", float(found.number)),
        Measure("largest component", float(found.largest)),
        defined("share in the largest component", share, "no vertex"),
    )


COMPONENTS = Aspect(_measure, _figures)
