"""Scaling, weights, categories and missing values: distances are those that were stated."""

import numpy as np
import pytest

from graphkit.errors import InvalidInput
from graphkit.microdata import microaggregate
from graphkit.microdata.microaggregation.aggregates import aggregate_of, group_values, imputed
from graphkit.microdata.microaggregation.scaling import Preparation, prepared, published_loss, standardized

RECORDS = np.array([[1.0, 10.0], [2.0, 10.0], [4.0, 10.0], [9.0, 50.0]])


def squared(points: np.ndarray, one: int, other: int) -> float:
    return float(((points[one] - points[other]) ** 2).sum())


def test_without_options_points_are_the_same_bits() -> None:
    assert (prepared(RECORDS) == standardized(RECORDS)).all()
    spelled = prepared(RECORDS, Preparation(weights=(1.0, 1.0)))
    assert np.allclose(spelled, standardized(RECORDS), rtol=1e-15, atol=0)


@pytest.mark.parametrize(
    ("scaling", "distance"),
    [("none", 1.0), ("range", 1 / 64), ("robust", (1.3489795003921634 / 3.5) ** 2), ("standard", 1 / 9.5)],
)
def test_a_scaling_divides_by_what_it_says(scaling: str, distance: float) -> None:
    points = prepared(RECORDS[:, :1], Preparation(scaling))  # type: ignore[arg-type]
    assert squared(points, 0, 1) == pytest.approx(distance)


def test_robust_of_a_column_whose_quartiles_are_alike_is_standard() -> None:
    column = np.array([[5.0]] * 9 + [[7.0]])
    assert np.allclose(prepared(column, Preparation("robust")), standardized(column))
    assert not prepared(np.ones((4, 1)), Preparation("robust")).any()


def test_a_weight_counts_squared_distances() -> None:
    points = prepared(RECORDS, Preparation(weights=(2.0, 1.0)))
    plain = standardized(RECORDS)
    assert squared(points, 0, 1) == pytest.approx(2 * squared(plain, 0, 1))
    heavy = microaggregate(np.array([[0, 0], [0, 9], [1, 0], [1, 9.0]]), 2, preparation=Preparation(weights=(9, 1)))
    assert heavy.labels.tolist() == [0, 0, 1, 1]


def test_two_categories_are_at_a_distance_of_one_and_ranks_at_shares_of_it() -> None:
    records = np.array([[0.0, 0], [1, 1], [2, 2], [2, 4]])
    points = prepared(records, Preparation(nominal=(0,), ordinal=(1,), weights=(3.0, 1.0)))
    assert squared(points, 0, 1) == pytest.approx(3 + 1 / 16)
    assert squared(points, 2, 3) == pytest.approx(1 / 4)


def test_what_is_missing_counts_nothing() -> None:
    records = np.array([[1.0, np.nan], [3.0, np.nan], [2.0, 5.0], [4.0, 9.0]])
    result = microaggregate(records, 2, preparation=Preparation(missing="group"))
    assert result.labels.tolist() == [0, 0, 1, 1]
    spread = records[:, 0].std()
    there = np.array([5.0, 9.0])
    assert result.sse == pytest.approx(2 * 2 / spread**2 + 8 / there.std() ** 2 - 2 / spread**2 * 0 + 0)
    assert result.sst == pytest.approx(4 + 2)


def test_groups_of_few_that_lack_the_same_are_refused_with_their_number() -> None:
    records = np.array([[1.0, np.nan], [3.0, 2.0], [2.0, 5.0], [np.nan, 9.0]])
    with pytest.raises(InvalidInput, match="2 combinations of missing attributes are that of fewer than k") as refused:
        microaggregate(records, 2, preparation=Preparation(missing="group"))
    assert "2 records in all" in str(refused.value)
    with pytest.raises(InvalidInput, match="within a stratum"):
        microaggregate(np.vstack([records] * 2), 2, strata=[0] * 4 + [1] * 4, preparation=Preparation(missing="group"))


@pytest.mark.parametrize(
    ("preparation", "words"),
    [
        (Preparation(weights=(1.0,)), "a weight for each of the 2 columns"),
        (Preparation(weights=(1.0, 0.0)), "must be positive"),
        (Preparation(weights=(1.0, float("nan"))), "must be positive"),
        (Preparation("magic"), "unknown scaling 'magic'"),  # type: ignore[arg-type]
        (Preparation(nominal=(2,)), "columns of categories must be among the 2"),
    ],
)
def test_a_preparation_that_makes_no_sense_is_refused(preparation: Preparation, words: str) -> None:
    with pytest.raises(InvalidInput, match=words.replace("(", r"\(")):
        microaggregate(RECORDS, 2, preparation=preparation)


def test_columns_without_values_and_with_too_many_categories_are_refused() -> None:
    with pytest.raises(InvalidInput, match="column 1 has no value at all"):
        prepared(np.column_stack((RECORDS[:, 0], np.full(4, np.nan))), Preparation(missing="group"))
    with pytest.raises(InvalidInput, match="300 categories"):
        prepared(np.arange(300.0)[:, None], Preparation(nominal=(0,)))


def test_aggregates_are_those_of_each_group() -> None:
    records = np.array([[1.0, 4, 1, 2], [2, 4, 2, 3], [9, 0, 2, 3], [5, 7, 0, 1], [7, 7, 1, 2]])
    labels = np.array([0, 0, 0, 1, 1])
    values = group_values(records, labels, ["median", "mean", "mode", "lower median"])
    assert values.tolist() == [[2.0, 8 / 3, 2.0, 3.0], [6.0, 7.0, 0.0, 1.0]]
    with pytest.raises(InvalidInput, match="unknown aggregate"):
        aggregate_of(records[0], "magic")  # type: ignore[arg-type]


def test_imputation_is_within_the_stratum() -> None:
    records = np.array([[1.0], [3.0], [np.nan], [10.0], [np.nan]])
    strata = np.array([0, 0, 0, 1, 1])
    assert imputed(records, strata, ["mean"])[:, 0].tolist() == [1, 3, 2, 10, 10]
    assert imputed(records, None, ["lower median"])[:, 0].tolist() == [1, 3, 3, 10, 3]
    with pytest.raises(InvalidInput, match="attribute 1 of 1 has no value in a stratum"):
        imputed(records[[0, 1, 4]], np.array([0, 0, 1]), ["mean"])


def test_loss_of_what_is_published_is_that_of_the_groups_for_means_and_more_for_modes() -> None:
    records = np.random.default_rng(2).normal(size=(40, 3))
    result = microaggregate(records, 3, effort=0.05)
    values = group_values(records, result.labels)[result.labels]
    assert published_loss(records, values) == pytest.approx(result.information_loss)
    medians = group_values(records, result.labels, ["median"] * 3)[result.labels]
    assert published_loss(records, medians) > result.information_loss
    records[:, 2] = np.arange(40) % 3
    preparation = Preparation(nominal=(2,))
    mixed = microaggregate(records, 3, preparation=preparation, effort=0.05)
    modes = group_values(records, mixed.labels, ["mean", "mean", "mode"])[mixed.labels]
    assert published_loss(records, modes, preparation) >= mixed.information_loss - 1e-9
