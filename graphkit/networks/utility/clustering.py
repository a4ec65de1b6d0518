"""Clustering: how often two neighbours of a vertex are neighbours."""

from graphkit.networks.utility.aspect import Aspect, Subject, defined
from graphkit.networks.utility.measure import Measure


def _measure(subject: Subject) -> tuple[Measure, ...]:
    overall = float(subject.whole.transitivity_undirected())
    mean = float(subject.whole.transitivity_avglocal_undirected(mode="nan"))
    return (
        defined("global clustering", overall, "no two edges meet"),
        defined("local clustering", mean, "no vertex has two neighbours"),
    )


CLUSTERING = Aspect(_measure)
