"""What is said about records and a release of them."""

from dataclasses import dataclass

from graphkit.microdata.utility.correlations import CorrelationChange
from graphkit.microdata.utility.interval_disclosure import IntervalDisclosure
from graphkit.microdata.utility.linkage import Linkage
from graphkit.microdata.utility.regressions import RegressionChange


@dataclass(frozen=True, slots=True)
class AttributeChange:
    """One attribute before and after. None where the original is constant and the figure has no scale."""

    attribute: str
    mean_shift: float | None
    """How far the mean moved, in standard deviations of the original."""
    variance_ratio: float | None
    """Variance of the release over that of the original."""
    kolmogorov_distance: float | None = None
    """Largest difference of the cumulative shares; None where it was not measured."""
    transport_distance: float | None = None
    """Mean way between both distributions, in standard deviations of the original."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Records and their release. All figures are free of units: none is a value, a mean or an extreme of the records.

    Protected all the same: they are about the original.
    """

    attributes: tuple[AttributeChange, ...]
    unique: tuple[float, float] | None
    """Share of records that are alone with their values, of the original and of the release; None where it was not
    measured."""
    correlations: CorrelationChange | None
    """None with fewer than two attributes that vary."""
    regressions: tuple[RegressionChange, ...]
    """Attributes whose coefficients are not determined are left out."""
    eigenvalues: float | None
    """Σ |λ − λ'| / λ of the correlation matrices; None where it is not defined."""
    paired: bool
    """Whether it was known which published record is which; the figures below need that."""
    information_loss: float | None = None
    """In percent of the variation."""
    absolute_loss: float | None = None
    """IL1s."""
    linkage: Linkage | None = None
    spread_disclosure: IntervalDisclosure | None = None
    rank_disclosure: IntervalDisclosure | None = None
