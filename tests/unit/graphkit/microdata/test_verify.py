"""The verifier of microaggregated records: whatever is wrong with a file fails its check."""

import numpy as np
import pytest

from graphkit.microdata.verify import GroupClaim, verify_groups, verify_microaggregation

ORIGINAL = np.array([[1.0, 10.0], [3.0, 30.0], [8.0, 80.0], [9.0, 70.0], [10.0, 90.0]])
ROWS = np.array([4, 0, 2, 1, 3])
MEANS = np.array([[2.0, 20.0], [2.0, 20.0], [9.0, 80.0], [9.0, 80.0], [9.0, 80.0]])
CLAIM = GroupClaim(2, 5, ("age", "wage"))


def failed(published: np.ndarray, *, original: np.ndarray = ORIGINAL, rows: np.ndarray = ROWS) -> list[str]:
    checks = verify_microaggregation(CLAIM, published, original, rows).checks
    return [check.name for check in checks if not check.passed]


def test_a_right_file_passes() -> None:
    assert failed(MEANS[ROWS]) == []
    assert verify_groups(CLAIM, MEANS[ROWS]).passed


def test_a_value_that_was_changed_is_found() -> None:
    for row in range(5):
        for column in range(2):
            published = MEANS[ROWS].copy()
            published[row, column] += 1e-6
            assert failed(published) == ["k-anonymous", "values"]


def test_means_of_other_records_are_found() -> None:
    # valid groups, but records 0 and 2 have each other's means
    assert failed(MEANS[[2, 1, 0, 3, 4]][ROWS]) == ["values"]


@pytest.mark.parametrize("rows", [[0, 0, 2, 1, 3], [4, 0, 2, 1, 5]])
def test_rows_that_are_no_order_of_the_original_are_found(rows: list[int]) -> None:
    assert "rows" in failed(MEANS[ROWS], rows=np.array(rows))


def test_a_missing_record_or_value_is_found() -> None:
    assert "records" in failed(MEANS[ROWS][:4])
    published = MEANS[ROWS].copy()
    published[0, 0] = np.nan
    assert "records" in failed(published)


def test_rounded_means_are_within_a_half() -> None:
    original = np.array([[1.0], [2.0], [7.0], [9.0]])
    claim = GroupClaim(2, 4, ("age",), ("age",))
    rows = np.arange(4)
    assert verify_microaggregation(claim, np.array([[2.0], [2.0], [8.0], [8.0]]), original, rows).passed
    assert not verify_microaggregation(claim, np.array([[3.0], [3.0], [8.0], [8.0]]), original, rows).passed
