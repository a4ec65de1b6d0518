"""What is said about one graph, and about two."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure about a graph."""

    name: str
    value: float | None
    """None where the graph does not define it; `note` says why."""
    error: float | None = None
    """Standard error, where the figure was estimated from a sample."""
    note: str = ""
    """Why there is no value, or what to bear in mind with it; mostly empty."""
    replicates: tuple[float, ...] = field(default=(), repr=False)
    """The figure with each source of the sample left out: for the error of a difference over the same sources."""


@dataclass(frozen=True, slots=True)
class Utility:
    """What an analyst would find in one graph."""

    measures: tuple[Measure, ...]

    def __getitem__(self, name: str) -> Measure:
        """Return the measure of a name.

        Raises
        ------
        KeyError
            If there is none of that name.
        """
        for measure in self.measures:
            if measure.name == name:
                return measure
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class Change:
    """One figure before and after."""

    name: str
    before: float | None
    after: float | None
    note: str = ""
    error: float | None = None
    """Standard error of after − before, where one of them was estimated from a sample."""

    @property
    def absolute(self) -> float | None:
        """After − before, where both are defined."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before

    @property
    def relative(self) -> float | None:
        """(after − before) / |before|, where that is defined."""
        if self.before is None or self.after is None or self.before == 0:
            return None
        return (self.after - self.before) / abs(self.before)


@dataclass(frozen=True, slots=True)
class Distance:
    """How far two distributions are apart; 0 means equal. The vertices need not correspond."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two graphs say the same of the same vertices; 1 means that they do."""

    name: str
    value: float | None
    """None where it is not defined; `note` says why."""
    error: float | None = None
    """Standard error, where it was estimated from a sample."""
    baseline: float | None = None
    """What two runs with different seeds on the original reach, where the method itself wavers."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two graphs, measure by measure. Protected: the measures of an original tell how many edges were added."""

    before: Utility
    after: Utility
    distances: tuple[Distance, ...]
    """Between distributions; none when a graph has no vertex."""
    agreements: tuple[Agreement, ...] = ()
    """Vertex by vertex; none where it is not known which vertex is which."""
    paired: bool = False
    """Whether it was known which vertex is which; samples then had the same sources in both graphs."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """Every measure before and after."""
        pairs = zip(self.before.measures, self.after.measures, strict=True)
        return tuple(
            Change(a.name, a.value, b.value, a.note or b.note, _error_of_difference(a, b, self.paired))
            for a, b in pairs
        )


def jackknife_error(replicates: Sequence[float]) -> float:
    """Return the standard error of a statistic from its values with each part of the sample left out.

    Parameters
    ----------
    replicates : sequence of float
        The statistic without part 1, without part 2, …; the parts have equal size.

    Examples
    --------
    >>> values = [1.0, 2.0, 6.0]
    >>> replicates = [(9.0 - value) / 2 for value in values]
    >>> round(jackknife_error(replicates) ** 2, 6), round((4 + 1 + 9) / 2 / 3, 6)
    (2.333333, 2.333333)

    References
    ----------
    Quenouille 1956, "Notes on bias in estimation"; Tukey 1958, "Bias and confidence in not quite large samples".
    """
    mean = sum(replicates) / len(replicates)
    spread = sum((value - mean) ** 2 for value in replicates)
    return math.sqrt(spread * (len(replicates) - 1) / len(replicates))


def _error_of_difference(before: Measure, after: Measure, paired: bool) -> float | None:
    if before.error is None and after.error is None:
        return None
    if paired and before.replicates and len(before.replicates) == len(after.replicates):
        return jackknife_error([b - a for a, b in zip(before.replicates, after.replicates, strict=True)])
    return math.hypot(before.error or 0.0, after.error or 0.0)
