"""New versions of a table at the terminal: no name, no order and no derived variable gets a refused marginal out."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.config import Settings
from tests.support.commands import Finished, run_auditor

pytestmark = [pytest.mark.neo4j, pytest.mark.slow, pytest.mark.usefixtures("neo4j_connection")]

CELLS = [(a, b, c) for a in ("no", "yes") for b in ("no", "yes") for c in ("no", "yes")]
COUNTS = [1, 6, 7, 8, 9, 10, 5, 1]


def test_a_refused_marginal_stays_refused_in_every_disguise(tmp_path: Path, neo4j_settings: Settings) -> None:
    def auditor(*arguments: object, code: int = 0) -> Finished:
        ended = run_auditor([*arguments], neo4j_settings.home)
        assert ended.code == code, ended.err
        return ended

    def version(text: list[str]) -> Path:
        path = tmp_path / "version.csv"
        path.write_text("\n".join(text) + "\n")
        return path

    plain = [f"{a},{b},{c},{n}" for (a, b, c), n in zip(CELLS, COUNTS, strict=True)]
    auditor("table", "add", "cube", version(["A,B,C,count", *plain]))
    for marginal, code in (("A,B", 0), ("A,C", 0), ("B,C", 1)):
        auditor("table", "request", "cube", marginal, "--by", "ann", code=code)

    # two variables are renamed, and the columns have another order
    turned = [f"{b},{c},{a},{n}" for (a, b, c), n in zip(CELLS, COUNTS, strict=True)]
    auditor("table", "add", "cube", version(["X,C,Y,count", *turned]), "--new-version")
    held = auditor("table", "request", "cube", "X,C", "--by", "ann", code=3)
    assert "earlier_data" in held.out
    assert "Next: auditor table map cube" in held.out
    assert "A" in auditor("table", "map", "cube").out
    auditor("table", "map", "cube", "--renamed", "A=Y", "--renamed", "B=X")
    auditor("table", "request", "cube", "X,C", "--by", "ann", code=1)

    # a variable and its categories are renamed, and there is one more
    german = [f"{a},{'ja' if b == 'yes' else 'nein'},{c},{n}" for (a, b, c), n in zip(CELLS, COUNTS, strict=True)]
    more = ["A,Bd,C,count", *german, "no,weiss nicht,no,0"]
    auditor("table", "add", "cube", version(more), "--new-version")
    auditor("table", "request", "cube", "Bd,C", "--by", "ann", code=3)
    rows = ["B=no,Bd=nein", "B=yes,Bd=ja", "B=,Bd=weiss nicht"]
    said = [word for row in rows for word in ("--category", row)]
    auditor("table", "map", "cube", "--version", 1, *said)
    shown = run_auditor(["--json", "table", "show", "cube"], neo4j_settings.home).json
    assert shown["undeclared"] == []
    assert shown["declared"][-1]["variables"][0]["old"] == "B"
    auditor("table", "request", "cube", "Bd,C", "--by", "ann", code=1)

    # a variable made of two, beside the third
    made = [f"{a}{b},{c},{n}" for (a, b, c), n in zip(CELLS, COUNTS, strict=True)]
    auditor("table", "add", "cube", version(["AB,C,count", *made]), "--new-version")
    merged = ["--merge", "AB=nono,yesno", "--merge", "AB=noyes,yesyes"]
    auditor("table", "request", "cube", "AB,C", *merged, "--by", "ann", code=3)
    bands = [tmp_path / "a.csv", tmp_path / "b.csv"]
    bands[0].write_text("A,AB\nno,nono\nno,noyes\nyes,yesno\nyes,yesyes\n")
    bands[1].write_text("B,AB\nno,nono\nyes,noyes\nno,yesno\nyes,yesyes\n")
    auditor("table", "map", "cube", "--version", 1, "--file", bands[0], "--file", bands[1])
    auditor("table", "request", "cube", "AB,C", *merged, "--by", "ann", code=1)
    auditor("table", "request", "cube", "AB", "--by", "ann")
    kinds = [entry["kind"] for entry in run_auditor(["--json", "ledger", "show"], neo4j_settings.home).json["entries"]]
    assert kinds.count("table_mapped") == 3
    assert "version 9" in auditor("table", "map", "cube", "--version", 9, "--gone", "A", code=2).err
