"""The next start cuts the log off after a panic, and at no other time."""

from __future__ import annotations

from pathlib import Path

from auditor.store.local.log_repair import LogRepair


def test_an_ordinary_start_repairs_nothing(tmp_path: Path) -> None:
    repair = LogRepair(tmp_path)
    repair.begin()
    assert repair.configuration == {}
    repair.done()
    assert LogRepair(tmp_path).configuration == {}


def test_the_start_after_a_panic_repairs_once_and_keeps_a_copy(tmp_path: Path) -> None:
    log = tmp_path / "data" / "transactions" / "neo4j" / "log.0"
    log.parent.mkdir(parents=True)
    log.write_bytes(b"half")
    first = LogRepair(tmp_path)
    first.begin()
    first.request()
    second = LogRepair(tmp_path)
    second.begin()
    assert second.configuration == {"internal.dbms.tx_log.fail_on_corrupted_log_files": "false"}
    assert (tmp_path / "before-repair" / "neo4j" / "log.0").read_bytes() == b"half"
    second.done()
    assert LogRepair(tmp_path).configuration == {}


def test_a_repair_that_was_interrupted_is_begun_again(tmp_path: Path) -> None:
    (tmp_path / "panicked").touch()
    for _ in range(2):
        repair = LogRepair(tmp_path)
        repair.begin()
        assert repair.configuration
