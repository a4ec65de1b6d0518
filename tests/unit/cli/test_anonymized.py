"""What `network anonymize` says to people: whether anything was written, and whether added edges are told apart."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from auditor.core.digests import file_digest
from auditor.exports.manifest import Manifest
from auditor.exports.publishing import Published
from auditor.subjects.networks.exports.exporting import ExportResult
from cli.network.anonymized import answer_anonymized
from cli.terminal.output import Output
from graphkit.networks import Constraints, anonymize, anonymize_under
from graphkit.networks.verify import Check, Verification

EDGES = [(0, 1), (1, 2), (3, 4)]
RELEASE: Any = None
SUBJECT: Any = SimpleNamespace(shown="friends.csv")


def said(capsys: pytest.CaptureFixture[str], answer: Any, published: Published | None = None) -> tuple[str, str]:
    context: Any = SimpleNamespace(output=Output())
    answer_anonymized(context, SUBJECT, ExportResult(answer, published), (), 0)
    return capsys.readouterr()


def test_where_no_degree_may_grow_that_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(capsys, anonymize_under(EDGES, 2, Constraints(max_increase=0)))
    assert out.strip().endswith("no degree may grow")
    assert "cannot be changed" not in out
    fixed = Constraints(max_increase=1, forbidden_vertices=np.arange(1))
    out, _ = said(capsys, anonymize_under([(0, 1), (0, 2), (0, 3)], 2, fixed))
    assert out.strip().endswith("1 vertex cannot be changed and no degree may grow by more than 1")


@pytest.mark.parametrize("solve", [anonymize, anonymize_under])
def test_people_are_told_whether_anything_was_written(
    solve: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, _ = said(capsys, solve(EDGES, 2))
    assert out.splitlines()[0] == "friends.csv: what makes it 2-degree-anonymous (nothing was written)"
    files = tmp_path / "h.csv", tmp_path / "h.vertices.csv"
    for path in files:
        path.write_text(path.name)
    verification = Verification((Check("k-anonymous", True, "every degree"),))
    manifest = Manifest("id", {}, {"kind": "any"}, "csv", verification, datetime.now(UTC))
    out, _ = said(capsys, solve(EDGES, 2), Published(RELEASE, manifest, files, None))
    assert out.splitlines()[0] == "friends.csv: a version that is 2-degree-anonymous was written"
    assert [line.split() for line in out.splitlines()[-2:]] == [[str(path), file_digest(path)] for path in files]


@pytest.mark.parametrize(("chance", "word"), [(0.95, "less real"), (0.05, "more real"), (0.55, ""), (0.45, "")])
def test_people_are_warned_of_edges_that_are_told_apart_on_either_side(
    chance: float, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    result = anonymize_under(EDGES, 2, plausible=True)
    assert result.plausibility is not None
    result = replace(result, plausibility=replace(result.plausibility, distinguishability=chance))
    out, err = said(capsys, result)
    assert f"in {100 * chance:g} of 100 cases (50 is a guess; {100 * abs(chance - 0.5):.2g} away)" in out
    assert (f"look {word} than the original's" in err and "95 of 100 cases" in err) if word else not err
