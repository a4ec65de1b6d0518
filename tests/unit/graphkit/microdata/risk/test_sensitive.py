from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given, settings

from graphkit.errors import InvalidInput
from graphkit.microdata.risk.classes import equivalence_classes
from graphkit.microdata.risk.closeness import t_closeness
from graphkit.microdata.risk.coded import code_records
from graphkit.microdata.risk.diversity import l_diversity
from graphkit.microdata.risk.sensitive_counts import SensitiveCounts, sensitive_counts
from tests.support.record_samples import Rows, classes_by_hand, columns_of, names_of, ordered_distance, rows, shares


def counts_of(records: Rows, width: int) -> tuple[SensitiveCounts, list[list[object]]]:
    """The counts with the last column as the sensitive one, and its values class by class."""
    names = names_of(width)
    coded = code_records(columns_of(records, width))
    classes = equivalence_classes(coded, names[:-1])
    by_hand = classes_by_hand([row[:-1] for row in records])
    values = [[records[member][-1] for member in members] for members in by_hand.values()]
    return sensitive_counts(classes, coded.columns[names[-1]]), values


@settings(deadline=None)
@given(rows(max_columns=3))
def test_diversity_counts_categories_and_entropy(sample: tuple[Rows, int]) -> None:
    counted, classes = counts_of(*sample)
    for l in (2, 3):  # noqa: E741
        risk = l_diversity(counted, l)
        distinct = [len(set(values)) for values in classes]
        entropies = [-sum(c / len(v) * math.log(c / len(v)) for c in Counter(v).values()) for v in classes]
        assert risk.smallest_distinct == min(distinct, default=0)
        assert risk.records_below_distinct == sum(len(v) for v, d in zip(classes, distinct, strict=True) if d < l)
        assert risk.homogeneous_records == sum(len(v) for v, d in zip(classes, distinct, strict=True) if d == 1)
        below = [entropy < math.log(l) - 1e-9 for entropy in entropies]
        assert risk.classes_below_entropy == sum(below)
        assert risk.records_below_entropy == sum(len(v) for v, is_below in zip(classes, below, strict=True) if is_below)
        assert risk.smallest_entropy == pytest.approx(math.exp(min(entropies)) if entropies else 0.0)


@settings(deadline=None)
@given(rows(max_columns=3))
def test_closeness_is_the_earth_movers_distance(sample: tuple[Rows, int]) -> None:
    counted, classes = counts_of(*sample)
    everything = [value for values in classes for value in values]
    # the missing value comes last
    order = sorted(set(everything), key=lambda value: (value is None, value))
    whole = shares(everything, order) if everything else []
    for distance in ("equal", "ordered"):
        far = [
            ordered_distance(shares(values, order), whole)
            if distance == "ordered"
            else sum(abs(p - q) for p, q in zip(shares(values, order), whole, strict=True)) / 2
            for values in classes
        ]
        risk = t_closeness(counted, 0.25, distance)
        assert risk.largest_distance == pytest.approx(max(far, default=0.0), abs=1e-12)
        assert risk.classes_above_t == sum(one > 0.25 + 1e-9 for one in far)
        assert risk.records_above_t == sum(len(v) for v, one in zip(classes, far, strict=True) if one > 0.25 + 1e-9)
        mean = sum(len(v) * one for v, one in zip(classes, far, strict=True)) / max(len(everything), 1)
        assert risk.mean_distance == pytest.approx(mean, abs=1e-12)


def test_limits_that_make_no_sense_are_refused() -> None:
    counted, _ = counts_of([(1, 1)], 2)
    with pytest.raises(InvalidInput, match="l must be"):
        l_diversity(counted, 1)
    with pytest.raises(InvalidInput, match="t must be"):
        t_closeness(counted, 1.5)
    with pytest.raises(InvalidInput, match="distance"):
        t_closeness(counted, 0.5, "far")  # type: ignore[arg-type]
