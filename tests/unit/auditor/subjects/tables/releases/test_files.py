"""Files of released marginals: what was written is what was meant, or there is no file."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.core.errors import AlreadyExists, NotDelivered, VerificationFailed
from auditor.subjects.tables.releases import files
from auditor.subjects.tables.releases.files import write_marginal
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable

WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=5).filter(
    lambda text: text.strip()
)


@st.composite
def marginals(draw: st.DrawFn) -> ContingencyTable:
    names = draw(st.lists(WORDS, min_size=1, max_size=3, unique=True))
    variables = [Variable(name, tuple(draw(st.lists(WORDS, min_size=1, max_size=3, unique=True)))) for name in names]
    shape = tuple(variable.size for variable in variables)
    size = int(np.prod(shape))
    counts = draw(st.lists(st.integers(0, 2**40), min_size=size, max_size=size))
    return ContingencyTable.from_dense(np.array(counts, dtype=np.int64).reshape(shape), variables)


@given(marginals(), st.booleans())
def test_every_cell_is_there_once(
    tmp_path_factory: pytest.TempPathFactory, marginal: ContingencyTable, simulated: bool
) -> None:
    path = tmp_path_factory.mktemp("out") / "marginal.csv"
    write_marginal(marginal, path, force=False, simulated=simulated)
    with path.open(newline="", encoding="utf-8") as stream:
        header, *rows = csv.reader(stream)
    assert header[:-1] == list(marginal.names)
    assert header[-1].startswith("simulated_count" if simulated else "count")
    assert len(set(header)) == len(header)
    assert [int(row[-1]) for row in rows] == marginal.dense().reshape(-1).tolist()
    assert len({tuple(row[:-1]) for row in rows}) == marginal.size
    assert [item.name for item in path.parent.iterdir()] == ["marginal.csv"]


def one() -> ContingencyTable:
    return ContingencyTable.from_dense([3, 4], [Variable("a", ("x", "y"))])


def test_what_is_there_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text("mine")
    with pytest.raises((AlreadyExists, NotDelivered)):
        write_marginal(one(), path, force=False)
    assert path.read_text() == "mine"
    write_marginal(one(), path, force=True)
    assert path.read_text() == "a,count\nx,3\ny,4\n"


@pytest.mark.parametrize(
    "spoilt", ["a,count\nx,3\ny,5\n", "a,count\nx,3\n", "a,count\nx,3\nx,3\n", "b,count\nx,3\ny,4\n", ""]
)
def test_what_was_written_wrongly_is_not_published(
    spoilt: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_lines", lambda *_: [spoilt])
    with pytest.raises(VerificationFailed):
        write_marginal(one(), tmp_path / "m.csv", force=False)
    assert list(tmp_path.iterdir()) == []
