"""Components: how many there are, and how much is in the largest."""

import math

from graphkit.networks.utility.aspect import Aspect, Subject, defined
from graphkit.networks.utility.measure import Measure


def _measure(subject: Subject) -> tuple[Measure, ...]:
    n, sizes = subject.graph.n, subject.whole.connected_components().sizes()
    largest = max(sizes, default=0)
    return (
        Measure("components", float(len(sizes))),
        Measure("largest component", float(largest)),
        defined("share in the largest component", largest / n if n else math.nan, "no vertex"),
    )


COMPONENTS = Aspect(_measure)
