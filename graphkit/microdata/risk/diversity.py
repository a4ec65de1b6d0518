"""l-diversity: how many different values of a sensitive column an equivalence class leaves open."""

import math
from dataclasses import dataclass

import numpy as np

from graphkit.errors import InvalidInput
from graphkit.microdata.risk.sensitive_counts import SensitiveCounts
from graphkit.presentation import Presentable

# what a class of l equally frequent categories may lack of log(l) by rounding
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class DiversityRisk(Presentable):
    """How much an attacker who knows the class of a respondent learns of a sensitive column. Figures only."""

    sensitive: str
    """Name of the sensitive column."""
    l: float  # noqa: E741
    categories: int
    """Categories that occur, the missing value included."""
    smallest_distinct: int
    """Fewest categories in a class: the largest l for which the records are distinct l-diverse; 0 without records."""
    classes_below_distinct: int
    """Classes with fewer than l categories."""
    records_below_distinct: int
    """Records in them."""
    homogeneous_records: int
    """Records in classes of one category: what is sensitive follows from the class."""
    smallest_entropy: float
    """Smallest effective number of categories of a class, ``exp(H)``: the largest l of entropy l-diversity."""
    classes_below_entropy: int
    """Classes whose entropy is below log(l)."""
    records_below_entropy: int
    """Records in them."""

    _figures = ("sensitive", "l", "smallest_distinct", "records_below_distinct", "smallest_entropy", "is_diverse")
    _derived = ("is_diverse", "is_entropy_diverse")

    @property
    def is_diverse(self) -> bool:
        """Whether every class has at least l categories."""
        return self.classes_below_distinct == 0

    @property
    def is_entropy_diverse(self) -> bool:
        """Whether the entropy of every class is at least log(l)."""
        return self.classes_below_entropy == 0


def l_diversity(counted: SensitiveCounts, l: float = 2) -> DiversityRisk:  # noqa: E741
    """Return how diverse the classes are in a sensitive column.

    Parameters
    ----------
    counted : SensitiveCounts
        As :func:`~graphkit.microdata.risk.sensitive_counts.sensitive_counts` gives it.
    l : float
        Required diversity, more than 1; a whole number for distinct l-diversity.

    Raises
    ------
    InvalidInput
        If `l` is not above 1.

    Notes
    -----
    O(p) time for p pairs of a class and a category. A missing value counts as a category.

    References
    ----------
    Machanavajjhala, A., Kifer, D., Gehrke, J. and Venkitasubramaniam, M. (2007). l-Diversity: privacy beyond
    k-anonymity. ACM TKDD 1(1). Definitions 4.1 (entropy) and the distinct form.

    Examples
    --------
    >>> from graphkit.microdata.risk.classes import equivalence_classes
    >>> from graphkit.microdata.risk.coded import code_records
    >>> from graphkit.microdata.risk.sensitive_counts import sensitive_counts
    >>> records = code_records({"zip": [1, 1, 2, 2], "illness": ["flu", "flu", "flu", "asthma"]})
    >>> counted = sensitive_counts(equivalence_classes(records, ["zip"]), records.columns["illness"])
    >>> l_diversity(counted, l=2).records_below_distinct
    2
    """
    if not (isinstance(l, int | float | np.number) and math.isfinite(l) and l > 1):
        raise InvalidInput("l must be a number above 1, such as 2")
    sizes = counted.sizes
    distinct = np.bincount(counted.class_of, minlength=sizes.size)
    # H = log N − (Σ c log c) / N
    weighted = np.bincount(counted.class_of, counted.counts * np.log(counted.counts), minlength=sizes.size)
    entropy = np.maximum(np.log(sizes) - weighted / sizes, 0.0)
    few, uneven = distinct < l, entropy < math.log(l) - _ROUNDING
    return DiversityRisk(
        sensitive=counted.name,
        l=l,
        categories=int(counted.totals.size),
        smallest_distinct=int(distinct.min()) if distinct.size else 0,
        classes_below_distinct=int(few.sum()),
        records_below_distinct=int(sizes[few].sum()),
        homogeneous_records=int(sizes[distinct == 1].sum()),
        smallest_entropy=float(np.exp(entropy.min())) if entropy.size else 0.0,
        classes_below_entropy=int(uneven.sum()),
        records_below_entropy=int(sizes[uneven].sum()),
    )
