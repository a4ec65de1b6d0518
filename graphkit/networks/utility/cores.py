"""Core numbers: the largest c for which a vertex belongs to a part where all have c neighbours in that part."""

import math

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.utility.aspect import Aspect, Differences, defined
from graphkit.networks.utility.distances import distribution_distances
from graphkit.networks.utility.measure import Agreement, Measure


def _figures(cores: Ints) -> tuple[Measure, ...]:
    return (
        defined("largest core number", float(cores.max()) if cores.size else math.nan, "no vertex"),
        defined("mean core number", float(cores.mean()) if cores.size else math.nan, "no vertex"),
    )


def _differences(before: Ints, after: Ints, paired: bool) -> Differences:
    distances = distribution_distances("core numbers", before, after)
    if not (distances and paired):
        return Differences(distances)
    return Differences(distances, (Agreement("vertices with the same core number", float((before == after).mean())),))


CORES = Aspect(lambda subject: np.array(subject.whole.coreness(), dtype=np.int64), _figures, _differences)
