"""Geographic units with too few people: by a file of populations, by weights, or not known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.app import run

POLICY = "[microdata]\nk = 2\ndistinct_l = 1\nmax_share_below_k = 1.0\nmax_unique_records = 99\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = ["902,f,9000", "902,m,9000", "902,f,9000", "036,m,4000", "036,f,500", "059,m,21000", ",f,1"]
    Path("people.csv").write_text("\n".join(["zip3,sex,w", *rows]) + "\n")
    Path("zips.csv").write_text("zip3,population,state\n902,2400000,CA\n036,4200,NH\n059,20000,VT\n")
    Path("rules.toml").write_text(POLICY + "min_unit_population = 20001\n")
    return tmp_path


def audit(capsys: pytest.CaptureFixture[str], *options: str, code: int, policy: str = "rules.toml") -> Any:
    words = ["microdata", "audit", "people.csv", "--quasi-identifier", "zip3,sex", "--policy", policy, *options]
    assert run(["--json", *words]) == code
    return json.loads(capsys.readouterr().out)


def test_a_file_of_populations_says_which_units_are_too_small(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = audit(capsys, "--geography", "zip3", "--populations", "zips.csv", code=1)
    units = data["geographic_units"]
    # exactly 20 000 are too few, and the record without a unit is in none
    assert (units["units"], units["units_below"], units["records_below"], units["n"]) == (3, 2, 3, 6)
    assert units["population_from"] == "file"
    (finding,) = data["findings"]
    assert (finding["rule"], finding["where"], finding["severity"]) == ("min_unit_population", "zip3", "violation")
    assert finding["figure"] == 0.5
    assert not [unit for unit in ("902", "036", "059") if unit in json.dumps(data)]


def test_weights_estimate_the_population(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = audit(capsys, "--geography", "zip3", "--weight", "w", code=1)
    assert (data["geographic_units"]["units_below"], data["geographic_units"]["population_from"]) == (1, "weights")
    assert "by the weights" in data["findings"][0]["message"]


def test_what_nobody_knows_is_undecided(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit(capsys, "--geography", "zip3", code=3)["findings"][0]["severity"] == "undecided"
    Path("zips.csv").write_text("zip3,population\n902,2400000\n059,30000\n")
    data = audit(capsys, "--geography", "zip3", "--populations", "zips.csv", code=3)
    assert (data["geographic_units"]["units_unknown"], data["geographic_units"]["records_unknown"]) == (1, 2)
    # nothing is declared, or nothing is asked
    assert audit(capsys, code=0)["geographic_units"] is None
    Path("lax.toml").write_text(POLICY)
    assert audit(capsys, "--geography", "zip3", code=0, policy="lax.toml")["geographic_units"] is None


@pytest.mark.parametrize(
    ("options", "text", "said"),
    [
        (["--geography", "town"], "", "'town' names geographic units, so it must be a quasi-identifier"),
        (["--populations", "zips.csv"], "", "say which columns name these"),
        (["--geography", "zip3", "--populations", "zips.csv"], "zip3,people\n902,1\n", "no column 'population'"),
        (["--geography", "zip3", "--populations", "zips.csv"], "zip3,population\n902,1\n902,2\n", "a unit twice"),
        (["--geography", "zip3", "--populations", "zips.csv"], "zip3,population\n902,-1\n", "negative"),
        (["--geography", "zip3", "--populations", "zips.csv"], "zip3,population\n902,many\n", "else than numbers"),
        (["--geography", "zip3", "--populations", "none.csv"], "", "none.csv"),
    ],
)
def test_bad_declarations_get_one_line(
    options: list[str], text: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if text:
        Path("zips.csv").write_text(text)
    words = ["microdata", "audit", "people.csv", "--quasi-identifier", "zip3,sex", "--policy", "rules.toml", *options]
    assert run(words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.strip().splitlines()) == 1


def test_roles_of_a_file_find_their_populations_beside_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "roles").mkdir()
    Path("zips.csv").rename("roles/zips.csv")
    Path("roles/roles.toml").write_text(
        'quasi_identifiers = ["zip3", "sex"]\ngeography = ["zip3"]\npopulations = "zips.csv"\n'
    )
    words = ["microdata", "audit", "people.csv", "--roles", "roles/roles.toml", "--policy", "rules.toml"]
    assert run(["--json", *words]) == 1
    assert json.loads(capsys.readouterr().out)["geographic_units"]["units_below"] == 2
