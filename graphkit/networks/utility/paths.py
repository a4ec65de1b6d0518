"""Shortest paths: mean length and effective diameter."""

from __future__ import annotations

from graphkit.networks.utility.aspect import Aspect, Subject
from graphkit.networks.utility.measure import Measure
from graphkit.networks.utility.path_lengths import PathLengths, is_searched_whole, path_lengths


def _measure(subject: Subject) -> PathLengths:
    whole = is_searched_whole(subject.graph.n, subject.edges, subject.sample)
    return path_lengths(subject.graph, seed=subject.seed, sample=subject.sample, whole=whole)


def _figures(found: PathLengths) -> tuple[Measure, ...]:
    note = f"estimated from {found.sources} random sources" if found.sources is not None else ""
    if found.mean is None:
        note = "no two vertices of the sample are connected" if found.sources else "no two vertices are connected"
    return (
        Measure("mean path length", found.mean, found.mean_error, note, found.mean_replicates),
        Measure(
            "effective diameter",
            found.effective_diameter,
            found.effective_diameter_error,
            note,
            found.effective_diameter_replicates,
        ),
    )


PATHS = Aspect(_measure, _figures)
