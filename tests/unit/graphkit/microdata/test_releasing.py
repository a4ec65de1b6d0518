"""Frames of records: what an audit says, and what a release publishes, of frames of every kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import BrokenClaim, InvalidInput
from graphkit.microdata import audit, code_records, equivalence_classes, release
from graphkit.microdata.releasing import releasing
from graphkit.microdata.utility import compare
from graphkit.networks.utility.registry import choose_aspects
from graphkit.tables import ContingencyTable

PEOPLE: dict[str, list[Any]] = {
    "name": ["ann", "bob", "eve", "dan", "fay", "gus", "hal", "ida"],
    "age": [20, 61, 22, 60, 23, 59, 21, 58],
    "wage": [1.5, 4.0, 2.5, 4.5, 1.0, 5.0, 2.0, 5.5],
    "sex": ["f", "m", "f", "m", "f", "m", "m", "f"],
    "ill": ["no", "yes", "no", "no", "yes", "no", "no", "no"],
    "home": [1, 2, 1, 2, 3, 3, 4, 4],
}


def test_frames_of_every_kind_give_the_same_answers() -> None:
    pandas = pytest.importorskip("pandas")
    answers = []
    for frame in (pandas.DataFrame(PEOPLE), pa.table(PEOPLE), PEOPLE):
        found = audit(frame, ["age", "sex"], k=2, sensitive=["ill"])
        released, key = release(frame, ["age", "sex"], k=3, keep=["ill"])
        answers.append((found.to_dict(), Counter(zip(*released.columns.values(), strict=True)), key.result.to_dict()))
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize(
    "ask",
    [
        lambda: release(PEOPLE, "age", k=2),
        lambda: release(PEOPLE, ["wage"], k=2, keep="age"),
        lambda: audit(PEOPLE, "age", k=2),
        lambda: audit(PEOPLE, ["sex"], k=2, sensitive="age"),
        lambda: equivalence_classes(code_records(PEOPLE), "age"),
        lambda: compare([[1.0], [2.0]], [[1.0], [2.0]], names="age"),
        lambda: ContingencyTable.from_records(pa.table(PEOPLE), "age"),
        lambda: choose_aspects("age"),
    ],
)
def test_a_text_is_no_list_of_names(ask: Callable[[], Any]) -> None:
    with pytest.raises(InvalidInput, match=r"give a list of names, such as \['age'\]"):
        ask()


def test_no_records_are_not_audited() -> None:
    with pytest.raises(InvalidInput, match="no records"):
        audit({"age": []}, ["age"], k=2)


def test_audit_counts_as_brute_force_does() -> None:
    found = audit(PEOPLE, ["sex", "ill"], k=3, sensitive=["home"])
    sizes = Counter(zip(PEOPLE["sex"], PEOPLE["ill"], strict=True))
    assert found.records_below_k == sum(size for size in sizes.values() if size < 3)
    assert found.unique_records == sum(size == 1 for size in sizes.values())
    assert (found.n, found.smallest_class, found.is_anonymous) == (8, min(sizes.values()), False)
    assert "unique records" in found._repr_html_()


@settings(deadline=None, max_examples=30)
@given(
    st.integers(2, 4),
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from("abc"), st.booleans()), min_size=4, max_size=25),
)
def test_a_release_holds_what_it_claims(k: int, rows: list[tuple[int, str, bool]]) -> None:
    frame = dict(zip(("number", "text", "flag"), (list(column) for column in zip(*rows, strict=True)), strict=True))
    frame["own"] = list(range(len(rows)))
    released, key = release(frame, ["number", "text", "flag"], k=k, keep=["own"], effort=0.01)
    published = list(zip(*(released.columns[name] for name in ("number", "text", "flag")), strict=True))
    assert min(Counter(published).values()) >= k
    # what is kept goes with its record
    assert list(released.columns["own"]) == key.rows.tolist()
    assert sorted(key.rows.tolist()) == list(range(len(rows)))
    for group in set(key.result.labels.tolist()):
        members = np.flatnonzero(key.result.labels == group)
        of_group = [published[place] for place, row in enumerate(key.rows.tolist()) if row in members]
        assert len(set(of_group)) == 1
        assert of_group[0][0] == pytest.approx(np.mean([rows[row][0] for row in members]))
        texts = Counter(rows[row][1] for row in members)
        assert texts[of_group[0][1]] == max(texts.values())


def test_what_is_not_named_stays_behind() -> None:
    released, key = release(PEOPLE, ["age"], k=2, household="home")
    assert list(released.columns) == ["age"]
    assert "ann" not in f"{released!r} {released.to_dict()} {key!r} {key._repr_html_()} {released._repr_html_()}"
    assert released.verified
    assert released.claim.household == "home"
    groups = key.result.labels
    assert all(groups[one] == groups[other] for one, other in ((0, 2), (1, 3), (4, 5), (6, 7)))


def test_strata_do_not_mix_and_medians_are_medians() -> None:
    released, key = release(PEOPLE, ["wage"], k=2, stratum="sex", keep=["sex"], aggregates={"wage": "median"})
    groups = key.result.labels
    assert all(len({PEOPLE["sex"][row] for row in np.flatnonzero(groups == group)}) == 1 for group in set(groups))
    assert released.claim.aggregates == {"wage": "median"}


def test_missing_values_are_an_error_or_shared() -> None:
    lacking = {"age": [20, None, 22, float("nan"), 21, 23]}
    with pytest.raises(InvalidInput):
        release(lacking, ["age"], k=2)
    released, _ = release(lacking, ["age"], k=2, missing="group")
    assert Counter(value is None for value in released.columns["age"]) == {True: 2, False: 4}
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": pandas.array([20, None, 22, None, 21, 23], dtype="Int64")})
    assert sum(value is None for value in release(frame, ["age"], k=2, missing="group")[0].columns["age"]) == 2


def test_frames_come_back() -> None:
    released, key = release(PEOPLE, ["age", "sex"], k=2)
    table = released.to_frame("pyarrow")
    assert table.to_pydict() == {name: list(values) for name, values in released.columns.items()}
    assert key.to_frame("pyarrow").column_names == ["original", "published"]


def test_orders_are_drawn_anew() -> None:
    many = {"age": list(range(60))}
    first, second = (release(many, ["age"], k=3, seed=1, effort=0.01)[1] for _ in range(2))
    assert first.result.labels.tolist() == second.result.labels.tolist()
    assert first.rows.tolist() != second.rows.tolist()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"attributes": ["agee"]}, "no column 'agee'"),
        ({"attributes": []}, "no attribute"),
        ({"attributes": ["age"], "keep": ["age"]}, "column 'age' is named in two roles"),
        ({"attributes": ["age", "age"]}, "two roles"),
        ({"attributes": ["age"], "household": "age"}, "two roles"),
        ({"attributes": ["mixed"]}, "convert it first"),
        ({"attributes": ["large"]}, "too large"),
        ({"attributes": ["sex"], "aggregates": {"sex": "median"}}, "no attribute of numbers"),
        ({"attributes": ["age"], "aggregates": {"age": "mode"}}, "unknown aggregate"),
        ({"attributes": ["age"], "k": 9}, "9"),
    ],
)
def test_bad_input_is_refused(options: dict[str, Any], words: str) -> None:
    frame = PEOPLE | {"mixed": [1, "a"] * 4, "large": [2**60] * 8}
    with pytest.raises(InvalidInput, match=words):
        release(frame, **({"k": 2} | options))


@pytest.mark.parametrize("frame", [[[1, 2]], "people.csv", {"age": [1, 2], "sex": ["f"]}])
def test_what_is_no_frame_is_refused(frame: Any) -> None:
    with pytest.raises(InvalidInput):
        audit(frame, ["age", "sex"], k=2)


def test_a_column_that_is_there_twice_is_refused() -> None:
    frame = pytest.importorskip("pandas").DataFrame([[1, 2], [3, 4]], columns=["age", "age"])
    with pytest.raises(InvalidInput, match="more than one column 'age'"):
        audit(frame, ["age"], k=2)


def test_nothing_is_returned_that_fails_its_check(monkeypatch: pytest.MonkeyPatch) -> None:
    read_back = releasing._read_back
    monkeypatch.setattr(releasing, "_read_back", lambda *given: read_back(*given) + 1e-3)
    with pytest.raises(BrokenClaim, match="values"):
        release(PEOPLE, ["age"], k=2)
