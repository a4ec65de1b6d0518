"""Files of an export against their digests: the one that is named counts, not one that lies beside it."""

from pathlib import Path

import pytest

from auditor.core.digests import file_digest
from auditor.exports.file_digests import files_check


@pytest.fixture
def digests(tmp_path: Path) -> dict[str, str]:
    published = tmp_path / "published.csv"
    published.write_text("a\n1\n", encoding="utf-8")
    return {published.name: file_digest(published)}


def test_a_changed_copy_beside_what_was_published_is_found(tmp_path: Path, digests: dict[str, str]) -> None:
    copy = tmp_path / "copy.csv"
    copy.write_text("a\n2\n", encoding="utf-8")
    check = files_check(copy, digests)
    assert (check.name, check.passed) == ("checksum", False)
    assert "published.csv" in check.text
    copy.write_text("a\n1\n", encoding="utf-8")
    assert files_check(copy, digests).passed
    (tmp_path / "published.csv").unlink()
    assert files_check(copy, digests).passed


def test_of_several_files_none_has_another_name(tmp_path: Path, digests: dict[str, str]) -> None:
    check = files_check(tmp_path / "copy.csv", {**digests, "vertices.csv": "0" * 64})
    assert (check.name, check.passed) == ("file", False)


def test_a_file_that_is_gone_is_told_under_any_name(tmp_path: Path, digests: dict[str, str]) -> None:
    (tmp_path / "published.csv").unlink()
    for name in ("published.csv", "other.csv"):
        assert files_check(tmp_path / name, digests).name == "file"
