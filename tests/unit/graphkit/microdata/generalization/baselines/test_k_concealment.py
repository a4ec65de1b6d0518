"""k-concealment holds by the verifier of releases, and loses no more than one class of all records."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.microdata.generalization.attribute import hierarchical, nominal, numeric
from graphkit.microdata.generalization.baselines.k_concealment import k_concealment
from graphkit.microdata.generalization.extents import layout_of, losses_of
from graphkit.microdata.verify_freeform import FreeformClaim, verify_freeform

ATTRIBUTES = (hierarchical([4, 4, 5, 6, 6, 6, 6], 4), numeric([0, 1, 5]), nominal(3))


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), min_size=3, max_size=10),
    st.integers(2, 3),
)
def test_every_record_hides_among_k(records: list[tuple[int, ...]], k: int) -> None:
    codes = np.array(records)
    extents = k_concealment(codes, ATTRIBUTES, k)
    claim = FreeformClaim(k, len(records), ("a", "b", "c"))
    assert verify_freeform(claim, ATTRIBUTES, extents, codes).passed
    assert losses_of(layout_of(ATTRIBUTES), extents).max() <= 1


def test_records_that_are_alike_lose_nothing() -> None:
    codes = np.repeat([[0, 1, 2], [3, 0, 0]], 3, axis=0)
    assert losses_of(layout_of(ATTRIBUTES), k_concealment(codes, ATTRIBUTES, 3)).max() == 0


def test_k_has_its_bounds() -> None:
    for k in (1, 4):
        with pytest.raises(InvalidInput):
            k_concealment(np.zeros((3, 3), dtype=np.int64), ATTRIBUTES, k)
