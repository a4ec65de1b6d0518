"""The verifier of microaggregated records: whatever is wrong with a file fails its check."""

import numpy as np
import pytest

from graphkit.microdata.verify import GroupClaim, OriginalRecords, verify_groups, verify_microaggregation

ORIGINAL = np.array([[1.0, 10.0], [3.0, 30.0], [8.0, 80.0], [9.0, 70.0], [10.0, 90.0]])
ROWS = np.array([4, 0, 2, 1, 3])
MEANS = np.array([[2.0, 20.0], [2.0, 20.0], [9.0, 80.0], [9.0, 80.0], [9.0, 80.0]])
CLAIM = GroupClaim(2, 5, ("age", "wage"))


def failed(published: np.ndarray, *, original: np.ndarray = ORIGINAL, rows: np.ndarray = ROWS) -> list[str]:
    checks = verify_microaggregation(CLAIM, published, OriginalRecords(original), rows).checks
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
    assert verify_microaggregation(
        claim, np.array([[2.0], [2.0], [8.0], [8.0]]), OriginalRecords(original), rows
    ).passed
    assert not verify_microaggregation(
        claim, np.array([[3.0], [3.0], [8.0], [8.0]]), OriginalRecords(original), rows
    ).passed


def checked(claim: GroupClaim, published: list[list[float]], original: OriginalRecords) -> list[str]:
    rows = np.arange(claim.n)
    checks = verify_microaggregation(claim, np.array(published), original, rows).checks
    return [check.name for check in checks if not check.passed]


FOUR = np.array([[0.0], [0.0], [3.0], [5.0]])
NONE = float("nan")


@pytest.mark.parametrize(
    ("aggregate", "right", "wrong"),
    [("median", 1.5, 0.0), ("lower median", 0.0, 3.0), ("mode", 0.0, 3.0), ("mean", 2.0, 1.5)],
)
def test_each_aggregate_is_checked_as_itself(aggregate: str, right: float, wrong: float) -> None:
    claim = GroupClaim(4, 4, ("age",), aggregates={"age": aggregate})
    assert checked(claim, [[right]] * 4, OriginalRecords(FOUR)) == []
    assert checked(claim, [[wrong]] * 4, OriginalRecords(FOUR)) == ["values"]


def test_an_aggregate_that_nobody_knows_is_not_believed() -> None:
    claim = GroupClaim(4, 4, ("age",), aggregates={"age": "magic"})
    assert checked(claim, [[2.0]] * 4, OriginalRecords(FOUR)) == ["values"]


def test_of_equally_frequent_categories_the_first_is_the_mode() -> None:
    claim = GroupClaim(4, 4, ("sex",), aggregates={"sex": "mode"})
    codes = OriginalRecords(np.array([[1.0], [0.0], [1.0], [0.0]]))
    assert checked(claim, [[0.0]] * 4, codes) == []
    assert checked(claim, [[1.0]] * 4, codes) == ["values"]


def test_times_are_compared_to_their_unit_however_long_ago_1970_is() -> None:
    instants = OriginalRecords(np.array([[1.7e15], [1.7e15 + 3]]))
    claim = GroupClaim(2, 2, ("seen",), times={"seen": "TIMESTAMP"})
    assert checked(claim, [[1.7e15 + 2]] * 2, instants) == []
    assert checked(claim, [[1.7e15 + 3]] * 2, instants) == ["values"]


def test_what_was_missing_must_be_missing_and_nothing_else() -> None:
    original = OriginalRecords(np.array([[1.0, NONE], [3.0, NONE], [5.0, 7.0], [7.0, 9.0]]))
    claim = GroupClaim(2, 4, ("age", "wage"), missing="group")
    right = [[2, NONE], [2, NONE], [6, 8], [6, 8]]
    assert checked(claim, right, original) == []
    assert checked(claim, [[2, 8], [2, 8], [6, 8], [6, 8]], original) == ["missing", "values"]
    assert "k-anonymous" in checked(claim, [[2, NONE], [2, 8], [6, 8], [6, 8]], original)
    assert "records" in checked(GroupClaim(2, 4, ("age", "wage")), right, original)


def test_imputation_is_checked_within_strata() -> None:
    strata = np.array([0, 0, 1, 1])
    original = OriginalRecords(np.array([[1.0], [NONE], [5.0], [7.0]]), strata)
    claim = GroupClaim(2, 4, ("age",), missing="impute", stratum="region")
    assert checked(claim, [[1], [1], [6], [6]], original) == []
    assert checked(claim, [[3], [3], [6], [6]], original) == ["values"]


def test_groups_that_mix_strata_or_part_households_are_found() -> None:
    households, strata = np.array([0, 0, 0, 1]), np.array([0, 1, 0, 1])
    values: list[list[float]] = [[0.0], [0.0], [4.0], [4.0]]
    assert checked(GroupClaim(2, 4, ("age",)), values, OriginalRecords(FOUR)) == []
    assert "strata" in checked(GroupClaim(2, 4, ("age",), stratum="region"), values, OriginalRecords(FOUR, strata))
    claim = GroupClaim(2, 4, ("age",), household="house")
    assert checked(claim, values, OriginalRecords(FOUR, None, households)) == ["households"]
