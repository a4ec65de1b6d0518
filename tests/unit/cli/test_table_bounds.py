"""`auditor table bounds` of a file: no store, the object for machines, one line for what is wrong."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.app import run
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.small_tables import autoworkers, brute_force_bounds, table_of

DATA = Path(__file__).resolve().parents[2] / "data" / "tables" / "autoworkers.csv"
SVG = "{http://www.w3.org/2000/svg}"
SMALL = "sex,ill,town,count\n" + "".join(
    f"{sex},{ill},{town},{count}\n"
    for (sex, ill, town), count in zip(
        [(s, i, t) for s in "fm" for i in ("no", "yes") for t in ("x", "y")], (2, 1, 0, 3, 1, 0, 2, 1), strict=True
    )
)


@pytest.fixture(autouse=True)
def no_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("AUDITOR_CONFIG", "")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.csv"
    path.write_text(SMALL, encoding="utf-8")
    return path


def answer(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> Any:
    assert run(["--json", "table", "bounds", *map(str, arguments)]) == code
    out, err = capsys.readouterr()
    assert err == ""
    return json.loads(out)


def test_every_cell_has_its_bounds(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(capsys, small, "--given", "ill,sex", "--given", "town", "--given", "sex,ill")
    assert data["given"] == [["town"], ["sex", "ill"]]
    assert (data["complete"], data["statuses"]) == (True, {"sharp": 8, "outer": 0, "timeout": 0})
    assert data["cells"][1] == {
        "cell": {"sex": "f", "ill": "no", "town": "y"}, "lower": 0, "upper": 3, "status": "sharp",
    }  # fmt: skip
    assert "tables" not in data


def test_bounds_are_those_of_all_tables(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = table_of(np.array((2, 1, 0, 3, 1, 0, 2, 1)).reshape(2, 2, 2))
    for sets in ([(0, 1)], [(0, 1), (1, 2)], list(combinations(range(3), 2))):
        lower, upper = brute_force_bounds(ReleasedMarginals.of(table, sets))
        names = ("sex", "ill", "town")
        given = [word for axes in sets for word in ("--given", ",".join(names[axis] for axis in axes))]
        data = answer(capsys, small, *given, "--count-tables")
        assert [cell["lower"] for cell in data["cells"]] == lower.reshape(-1).tolist()
        assert [cell["upper"] for cell in data["cells"]] == upper.reshape(-1).tolist()
        assert data["tables"]["complete"]


def test_only_the_cells_that_were_named(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(capsys, small, "--and", "sex", "--cells", "sex=f,town=x", "--cells", "ill=yes,sex=m")
    assert [list(cell["cell"].values()) for cell in data["cells"]] == [
        ["f", "no", "x"], ["f", "yes", "x"], ["m", "yes", "x"], ["m", "yes", "y"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("chosen", "code"),
    [
        ('"income, net=1,000"', "1,000"),
        ("income, net=a=b", None),
        ('"income, net=a=b"', "a=b"),
        ('"income, net=say ""no"""', 'say "no"'),
        ('"income, net=1,000",sex=f', "1,000"),
    ],
)
def test_categories_with_commas_quotes_and_equals_signs(
    chosen: str, code: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.csv"
    path.write_text(
        'sex,"income, net",count\n'
        + "".join(f'{sex},"{name}",4\n' for sex in "fm" for name in ("1,000", "a=b", 'say ""no""'))
    )
    if code is None:
        assert run(["table", "bounds", str(path), "--given", "sex", "--cells", chosen]) == 2
        assert "double quotes" in capsys.readouterr().err
        return
    data = answer(capsys, path, "--given", "sex", "--cells", chosen)
    assert {cell["cell"]["income, net"] for cell in data["cells"]} == {code}


def test_counting_stops_where_it_was_told(capsys: pytest.CaptureFixture[str]) -> None:
    given = [word for axes in combinations("ABCDEF", 5) for word in ("--given", ",".join(axes))]
    data = answer(capsys, DATA, *given, "--count-tables", "--outer")
    assert data["tables"] == {"count": 2, "complete": True}
    data = answer(capsys, DATA, *given, "--count-tables", "--up-to", 1, "--outer")
    assert data["tables"] == {"count": 1, "complete": False}
    assert run(["table", "bounds", str(DATA), *given, "--count-tables", "--up-to", "1", "--outer"]) == 0
    assert "tables with these marginals: at least 1\n" in capsys.readouterr().out


def test_no_time_is_said_by_status_and_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    given = [word for axes in combinations("ABCDEF", 2) for word in ("--given", ",".join(axes))]
    data = answer(capsys, DATA, *given, "--time-limit", "0.000001", code=3)
    assert data["statuses"]["timeout"] > 0
    assert not data["complete"]
    truth = autoworkers().dense().reshape(-1).tolist()
    assert all(cell["lower"] <= count <= cell["upper"] for cell, count in zip(data["cells"], truth, strict=True))


def test_a_long_table_is_cut_and_the_rest_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "long.csv"
    path.write_text("town,sex,count\n" + "".join(f"t{i},{'fm'[i % 2]},{i}\n" for i in range(1, 300)), encoding="utf-8")
    assert run(["table", "bounds", str(path), "--given", "town"]) == 0
    cut = capsys.readouterr().out
    assert "398 wider intervals are not shown; --all shows them" in cut
    assert run(["table", "bounds", str(path), "--given", "town", "--all"]) == 0
    whole = capsys.readouterr().out
    assert len(whole.splitlines()) - len(cut.splitlines()) > 390


def test_the_picture_is_there_once(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "bounds.svg"
    data = answer(capsys, small, "--given", "sex,ill", "--picture", picture)
    assert data["picture"] == str(picture)
    assert picture.stat().st_mode & 0o777 == 0o600
    bars = ET.parse(picture).getroot().findall(f"{SVG}g/{SVG}rect")
    exact = ET.parse(picture).getroot().findall(f"{SVG}g/{SVG}path[@class='exact']")
    assert len(bars) + len(exact) == 8
    assert run(["table", "bounds", str(small), "--given", "sex", "--picture", str(picture)]) == 2
    assert "--force" in capsys.readouterr().err
    answer(capsys, small, "--given", "sex", "--picture", picture, "--force")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--given A,B"),
        (["--given", "sex,age"], "no variable 'age'"),
        (["--given", "sex,sex"], "twice"),
        (["--given", ""], "needs variables"),
        (["--given", "sex,,ill"], "empty name"),
        (["--given", "sex", "--cells", "sex=q"], "it has f, m"),
        (["--given", "sex", "--cells", "age=1"], "such as sex=f"),
        (["--given", "sex", "--picture", "nowhere/x.svg"], "does not exist"),
        (["--given", "sex", "--picture", "x.png"], "FILE.svg"),
        (["--given", "sex", "--time-limit", "-1"], "time limit"),
        (["--given", "sex", "--up-to", "0"], "--up-to"),
        (["--given", "sex", "--records"], "count"),
    ],
)
def test_wrong_usage_is_one_line(
    small: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if "--records" in arguments:
        # the counts become a variable, which is allowed and said
        assert run(["table", "bounds", str(small), *arguments]) == 0
        assert said in capsys.readouterr().err
        return
    assert run(["table", "bounds", str(small), *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.strip().splitlines())) == ("", 1)
    assert said in err


def test_neither_a_table_nor_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["table", "bounds", str(tmp_path / "none.csv"), "--given", "a"]) == 2
    assert "does not exist" in capsys.readouterr().err
    assert run(["table", "bounds", "network:x", "--given", "a"]) == 2
    assert "network --help" in capsys.readouterr().err


def test_words_leave_out_what_follows(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--given", "sex", "--given", "sex,ill", "--given", "town", "--given", "ill")
    assert answer(capsys, small, *given)["given"] == [["sex"], ["ill"], ["town"], ["sex", "ill"]]
    picture = tmp_path / "bounds.svg"
    assert run(["table", "bounds", str(small), *given, "--picture", str(picture)]) == 0
    assert "8 cells, from [town] and [sex, ill]\n" in capsys.readouterr().out
    assert ">from [town] and [sex, ill]<" in picture.read_text(encoding="utf-8")
    assert run(["table", "simulate", str(small), *given, "--out", str(tmp_path / "s.csv")]) == 0
    assert "exact marginals: town; sex, ill\n" in capsys.readouterr().out
