"""Global recoding against trying every combination of levels."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.errors import InvalidInput
from graphkit.microdata.generalization.attribute import hierarchical, nominal, numeric
from graphkit.microdata.generalization.baselines.global_recoding import global_recoding, recoded_extents
from graphkit.microdata.generalization.extents import layout_of, losses_of

ATTRIBUTES = (hierarchical([4, 4, 5, 6, 6, 6, 6], 4), numeric([0, 1, 5]), nominal(3, weight=2))


def recoded(code: tuple[int, ...], levels: tuple[int, ...]) -> tuple[tuple[object, ...], float]:
    """What a record becomes, and what it loses, by hand."""
    chains = {0: [0, 4, 6], 1: [1, 4, 6], 2: [2, 5, 6], 3: [3, 6, 6]}
    node = chains[code[0]][levels[0]]
    job = {4: 0.5, 6: 1.0}.get(node, 0.0)
    rest = [one if level == 0 else "*" for one, level in zip(code[1:], levels[1:], strict=True)]
    return (node, *rest), (job + levels[1] + 2 * levels[2]) / 4


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), min_size=3, max_size=9),
    st.integers(2, 3),
    st.sampled_from([0.0, 0.25, 0.5, 1.0]),
)
def test_no_combination_of_levels_loses_less(codes: list[tuple[int, ...]], k: int, suppressed: float) -> None:
    losses = []
    for levels in product(range(3), range(2), range(2)):
        became = [recoded(code, levels) for code in codes]
        values = [value for value, _ in became]
        alone = [values.count(value) < k for value in values]
        if sum(alone) <= suppressed * len(codes):
            total = sum(1.0 if out else lost for out, (_, lost) in zip(alone, became, strict=True))
            losses.append(total / len(codes))
    found = global_recoding(np.array(codes), ATTRIBUTES, k, suppressed=suppressed)
    assert found.loss == pytest.approx(min(losses))
    kept = found.classes[found.classes >= 0]
    assert (found.classes < 0).sum() <= suppressed * len(codes)
    assert all((kept == one).sum() >= k for one in kept)


def test_what_makes_no_sense_is_refused() -> None:
    codes = np.zeros((3, 3), dtype=np.int64)
    for k, suppressed in ((4, 0.0), (1, 0.0), (2, -0.1), (2, 1.1)):
        with pytest.raises(InvalidInput):
            global_recoding(codes, ATTRIBUTES, k, suppressed=suppressed)


def test_a_budget_ends_the_search_with_a_valid_recoding() -> None:
    codes = np.array([[0, 0, 0], [1, 1, 1], [2, 2, 2], [3, 0, 1], [0, 1, 2], [1, 2, 0]])
    best = global_recoding(codes, ATTRIBUTES, 2, suppressed=0.2)
    assert best.is_optimal
    for work in (1, 6, 12, 30):
        found = global_recoding(codes, ATTRIBUTES, 2, suppressed=0.2, budget=Budget(work_limit=work))
        assert found.loss >= best.loss
        assert found.is_optimal or found.nodes < best.nodes
        kept = found.classes[found.classes >= 0]
        assert all((kept == one).sum() >= 2 for one in kept)
    assert not global_recoding(codes, ATTRIBUTES, 2, budget=Budget(work_limit=1)).is_optimal


def test_a_suppressed_record_may_be_anything() -> None:
    codes = np.array([[0, 0, 0], [0, 0, 0], [3, 2, 2]])
    layout = layout_of(ATTRIBUTES)
    found = global_recoding(codes, ATTRIBUTES, 2, suppressed=0.4)
    held = recoded_extents(ATTRIBUTES, codes, found)
    assert losses_of(layout, held).tolist() == [0.0, 0.0, 1.0]
    all_out = replace(found, classes=np.full(3, -1))
    assert losses_of(layout, recoded_extents(ATTRIBUTES, codes, all_out)).tolist() == [1.0, 1.0, 1.0]
