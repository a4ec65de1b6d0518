"""The rules of disclosure by their words, over all tables that there are."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from graphkit.tables.decisions.rules import DisclosureRules
from graphkit.tables.structure.contingency import ContingencyTable

__all__ = ["keeps_the_rules"]


def keeps_the_rules(table: ContingencyTable, possible: NDArray[np.int64], rules: DisclosureRules) -> bool:
    """Whether the rules hold, by their words, over all tables with the marginals, one a row."""
    if possible.shape[0] < rules.min_tables:
        return False
    for cell, true_count in enumerate(table.dense().reshape(-1).tolist()):
        is_small = 0 < true_count < rules.threshold
        if not (is_small if rules.sensitive == "small" else true_count > 0):
            continue
        counts = possible[:, cell]
        if counts.max() - counts.min() < max(rules.min_width, Fraction(str(rules.min_relative_width)) * true_count):
            return False
        if rules.hide_small and is_small and counts.max() < rules.threshold:
            return False
        if np.unique(counts).size < rules.min_values:
            return False
    return True
