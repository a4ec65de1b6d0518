"""A network with isolated vertices is published in two files: both are named, and both are checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.config import Settings
from auditor.core.digests import file_digest
from tests.support.commands import run_auditor

pytestmark = pytest.mark.neo4j


@pytest.mark.slow
def test_both_files_are_told_recorded_and_checked(tmp_path: Path, neo4j_settings: Settings) -> None:
    def auditor(*words: object, code: int = 0) -> dict[str, object]:
        ended = run_auditor(["--json", *words], neo4j_settings.home)
        assert ended.code == code, ended.err
        return dict(ended.json) if ended.out else {}

    ties = tmp_path / "ties.csv"
    ties.write_text("a,b\nb,c\nd,e\n")
    (tmp_path / "ties.vertices.csv").write_text("id\n" + "\n".join("abcdefg") + "\n")
    rules = tmp_path / "rules.toml"
    rules.write_text("[network]\nk = 2\n")
    out, vertices = tmp_path / "h.csv", tmp_path / "h.vertices.csv"
    auditor("network", "add", "two", ties)
    done = auditor("network", "anonymize", "two", "--k", 2, "--out", out)
    files = [out, vertices, tmp_path / "h.csv.manifest.json"]
    assert done["digests"] == {str(path): file_digest(path) for path in files}
    page = tmp_path / "page.html"
    auditor("report", "two", "--public", "--out", page)
    for path in files[:2]:
        assert f"{file_digest(path)}  {path.name}" in page.read_text()

    subject = f"export:{done['export']}"
    before = auditor("audit", "run", subject, "--policy", rules)
    assert "changed since" not in str(before)
    head, *rows = vertices.read_text().splitlines()
    vertices.write_text("\n".join([head, *reversed(rows)]) + "\n")
    found = auditor("audit", "run", subject, "--policy", rules, code=1)
    assert "h.vertices.csv: changed since publication" in str(found)
    page.unlink()
    auditor("report", "two", "--public", "--out", page, code=1)
    assert not page.exists()
