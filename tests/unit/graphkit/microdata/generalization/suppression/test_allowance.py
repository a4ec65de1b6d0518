"""How many records may be left out, and the least mean of strata, against all numbers that may be published."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.microdata.generalization.suppression.allowance import least_mean, most_suppressed, part_of

STRATA = st.lists(st.tuples(st.floats(0, 1), st.integers(1, 4), st.integers(0, 3)), min_size=1, max_size=4)


@given(STRATA)
def test_no_numbers_of_records_have_a_smaller_mean(strata: list[tuple[float, int, int]]) -> None:
    bounds = [bound for bound, _, _ in strata]
    least, most = [low for _, low, _ in strata], [low + more for _, low, more in strata]
    every = product(*(range(low, high + 1) for low, high in zip(least, most, strict=True)))
    expected = min(sum(map(float.__mul__, bounds, map(float, counts))) / sum(counts) for counts in every)
    assert least_mean(bounds, least, most) == pytest.approx(expected, abs=1e-12)


@given(st.integers(1, 1000), st.integers(1, 1000))
def test_a_share_that_was_made_of_a_number_is_that_number(count: int, more: int) -> None:
    n = count + more
    assert part_of(count / n, n) == count


def test_each_stratum_keeps_k_and_so_do_all() -> None:
    assert most_suppressed(0.5, [100, 6, 5], 5) == [50, 1, 0]
    assert most_suppressed(0, [5], 5) == [0]
    with pytest.raises(InvalidInput, match="of 10 records 4 would be left, fewer than k"):
        most_suppressed(0.6, [10], 5)
