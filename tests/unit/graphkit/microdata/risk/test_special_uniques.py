from __future__ import annotations

from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.errors import InvalidInput
from graphkit.microdata.risk import _alone
from graphkit.microdata.risk.coded import code_records
from graphkit.microdata.risk.special_uniques import LEAST_WORK, SpecialUniques, special_uniques
from tests.support.record_samples import Rows, columns_of, minimal_uniques_by_hand, names_of, rows


def search(records: Rows, width: int, largest: int = 4, budget: Budget | None = None) -> SpecialUniques:
    return special_uniques(
        code_records(columns_of(records, width)), names_of(width), largest_size=largest, budget=budget
    )


@settings(deadline=None)
@given(rows(), st.integers(1, 4))
def test_minimal_sample_uniques_and_scores_are_those_of_the_definition(sample: tuple[Rows, int], largest: int) -> None:
    records, width = sample
    found, by_hand = search(records, width, largest), minimal_uniques_by_hand(records, width, largest)
    scores = [0] * len(records)
    for record, chosen in by_hand:
        scores[record] += prod(width - j for j in range(len(chosen), min(largest, width - 1) + 1))
    assert found.scores.tolist() == scores
    risk = found.risk
    assert risk.is_complete
    assert risk.minimal_by_size == tuple(
        sum(len(chosen) == size for _, chosen in by_hand) for size in range(1, min(largest, width) + 1)
    )
    assert {one.quasi_identifiers: one.minimal_records for one in risk.combinations} == {
        tuple(f"c{place}" for place in chosen): sum(other == chosen for _, other in by_hand)
        for chosen in {chosen for _, chosen in by_hand}
    }
    assert risk.special_records == len({record for record, _ in by_hand})
    assert sum(risk.smallest_sizes) == risk.special_records


# the first call compiles the kernel
@settings(deadline=None)
@given(rows(max_columns=4))
def test_counting_in_a_table_finds_what_sorting_finds(sample: tuple[Rows, int]) -> None:
    records, width = sample
    sorted_ones = search(records, width)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_alone, "_FEW_RECORDS", 0)
        patch.setattr(_alone, "_SPARSE", 10**6)
        counted = search(records, width)
    assert counted.scores.tolist() == sorted_ones.scores.tolist()
    assert counted.risk == sorted_ones.risk


def test_columns_of_many_categories_are_sorted() -> None:
    rng = np.random.default_rng(3)
    records = code_records({name: rng.permutation(70_000) // 2 for name in "abc"})
    risk = special_uniques(records, ["a", "b", "c"]).risk
    assert risk.minimal_by_size[0] == 0
    assert risk.is_complete


def test_a_limit_of_work_gives_a_lower_bound_that_says_so() -> None:
    records = [(a, b, c) for a in range(3) for b in range(3) for c in range(2)]
    whole, part = search(records, 3), search(records, 3, budget=Budget(work_limit=4 * LEAST_WORK))
    assert whole.risk.is_complete
    assert whole.risk.special_records == len(records)
    assert not part.risk.is_complete
    assert (part.risk.size_searched, part.risk.combinations_searched, part.risk.combinations_in_all) == (1, 4, 7)
    assert (part.scores <= whole.scores).all()


def test_shares_of_attributes_are_of_the_whole_score() -> None:
    risk = search([(1, 1, 1), (1, 2, 1), (2, 1, 1), (2, 2, 2)], 3).risk
    scores = {one.quasi_identifiers: one.minimal_records for one in risk.combinations}
    weights = {1: 2 * 1, 2: 1}
    whole = sum(weights[len(names)] * number for names, number in scores.items())
    for name, share in risk.attribute_shares.items():
        of_it = sum(weights[len(names)] * number for names, number in scores.items() if name in names)
        assert share == pytest.approx(of_it / whole)


def test_progress_and_refusals() -> None:
    told: list[tuple[int, int]] = []
    special_uniques(code_records({"a": [1, 2], "b": [1, 1]}), ["a", "b"], progress=lambda *how: told.append(how))
    assert told == [(1, 3), (2, 3), (3, 3)]
    with pytest.raises(InvalidInput, match="largest size"):
        search([(1,)], 1, largest=0)
