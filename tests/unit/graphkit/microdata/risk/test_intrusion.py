"""DIS and DIS-SUDA scores, against the definition, an exact simulation and values computed by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.microdata.risk.classes import EquivalenceClasses, equivalence_classes
from graphkit.microdata.risk.coded import code_records
from graphkit.microdata.risk.intrusion import dis_suda_scores, intrusion_risk, match_probability
from graphkit.microdata.risk.special_uniques import SpecialUniques, special_uniques
from tests.support.record_samples import Rows, columns_of, names_of, rows

SHARES = st.sampled_from([Fraction(1, 100), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10), Fraction(1)])


def measured(records: Rows, width: int) -> tuple[SpecialUniques, EquivalenceClasses]:
    coded = code_records(columns_of(records, width))
    names = names_of(width)
    return special_uniques(coded, names), equivalence_classes(coded, names)


def simulated(records: Rows, share: Fraction) -> Fraction:
    """The chance of a correct match by its definition: take each record out, and put it back with that chance."""
    right = wrong = Fraction(0)
    for place, taken in enumerate(records):
        others = sum(other == taken for other in records[:place] + records[place + 1 :])
        right += share if others == 0 else 0
        wrong += 1 - share if others == 1 else 0
    return right / (right + wrong) if right else Fraction(0)


@settings(deadline=None, max_examples=40)
@given(rows(), SHARES)
def test_dis_is_what_the_simulation_comes_to(sample: tuple[Rows, int], share: Fraction) -> None:
    records, width = sample
    _, classes = measured(records, width)
    assert match_probability(classes, float(share)) == pytest.approx(float(simulated(records, share)))


@settings(deadline=None, max_examples=40)
@given(rows(), SHARES)
def test_scores_are_those_of_the_formula(sample: tuple[Rows, int], share: Fraction) -> None:
    records, width = sample
    found, classes = measured(records, width)
    scores, dis = dis_suda_scores(found, classes, float(share)), match_probability(classes, float(share))
    alone = sum(records.count(record) == 1 for record in records)
    q = 1 + (8 - width) / 20
    factor = sum(float(s) ** -q for s in found.scores if s)
    for suda, score in zip(found.scores.tolist(), scores.tolist(), strict=True):
        assert 0 <= score <= 1
        if suda == 0:
            assert score == 0
        else:
            assert score == pytest.approx(1 / (1 + (alone / dis - alone) / (suda**q * factor)))


def test_values_by_hand() -> None:
    # alone are the first two; the pair is the last two: U = 2, P = 2, f = 1/4
    records = code_records({"a": [1, 2, 3, 3], "b": [1, 1, 1, 1], "c": [1, 2, 1, 1]})
    names = ["a", "b", "c"]
    found, classes = special_uniques(records, names), equivalence_classes(records, names)
    # sizes 1 and 2 count, as one column is left out: 2 · 1 for one column; the second record has two such
    assert found.scores.tolist() == [2, 4, 0, 0]
    assert match_probability(classes, 0.25) == pytest.approx(2 / 4 / (2 / 4 + 2 * 3 / 4))
    # q = 1.25: 2^1.25 = 2.378414, 4^1.25 = 5.656854, A = 0.597222; P (1 − f) / f = 6
    assert dis_suda_scores(found, classes, 0.25) == pytest.approx([0.191431, 0.360226, 0, 0], abs=1e-5)
    risk = intrusion_risk(found, classes, 0.25)
    assert (risk.unique_records, risk.records_in_pairs, risk.scored_records) == (2, 2, 2)
    assert dict(risk.above) == {0.1: 2, 0.2: 1, 0.3: 1, **dict.fromkeys((0.4, 0.5, 0.6, 0.7, 0.8, 0.9), 0)}
    # all of the population is in the file: a match is right
    assert dis_suda_scores(found, classes, 1.0).tolist() == [1, 1, 0, 0]


def test_nobody_alone_and_nobody_at_all() -> None:
    for column in ([], [1, 1, 2, 2]):
        records = code_records({"a": np.array(column, dtype=np.int64)})
        found, classes = special_uniques(records, ["a"]), equivalence_classes(records, ["a"])
        risk = intrusion_risk(found, classes, 0.1)
        assert (risk.match_probability, risk.largest_score, risk.mean_score) == (0, 0, 0)


@pytest.mark.parametrize("share", [0.0, -0.1, 1.5, float("nan")])
def test_no_share_of_a_population(share: float) -> None:
    _, classes = measured([(1,)], 1)
    with pytest.raises(InvalidInput, match="above 0 and at most 1"):
        match_probability(classes, share)


def test_too_many_quasi_identifiers() -> None:
    coded, names = code_records(columns_of([(0,) * 28, (1,) * 28], 28)), names_of(28)
    found, classes = special_uniques(coded, names, largest_size=1), equivalence_classes(coded, names)
    with pytest.raises(InvalidInput, match="at most 27 quasi-identifiers; there are 28"):
        dis_suda_scores(found, classes, 0.5)
