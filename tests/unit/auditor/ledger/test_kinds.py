"""What the ledger tells of: every kind that is written is listed and documented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from auditor.core.errors import BadInput
from auditor.ledger.kinds import about_ids, about_names, check_kind, entry_kinds, parse_about

ROOT = Path(__file__).resolve().parents[4]
APPENDED = re.compile(r"""(?:append|record_look|NewEntry)\(\s*(?:[\w.]+,\s*)*?["']([a-z_]+)["'],""")


def test_every_kind_that_is_written_is_listed() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "auditor").rglob("*.py")]
    written = {kind for text in sources if "ledger" in text for kind in APPENDED.findall(text)}
    assert {"audit", "export", "table_bounds", "table_request", "token_revoked", "backup"} <= written
    assert written <= set(entry_kinds())


def test_every_kind_is_documented() -> None:
    page = (ROOT / "docs/ledger.md").read_text(encoding="utf-8")
    assert [kind for kind in entry_kinds() if f"`{kind}`" not in page] == []
    assert [word for word in (*about_names(), *about_ids()) if f"`{word}:" not in page] == []


@pytest.mark.parametrize("text", ["", "weekly", "planet:mars", "table:", ":x"])
def test_what_nothing_is_about_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="schedule:NAME"):
        parse_about(text)


def test_an_unknown_kind_names_the_nearest() -> None:
    check_kind("backup")
    with pytest.raises(BadInput, match="did you mean 'backup'"):
        check_kind("backups")
