"""The path of a file of records through the command line, and the commands of its page."""

from __future__ import annotations

import re
import shutil
import stat
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyarrow.csv import read_csv

from auditor.audits.running import run_audit
from auditor.config import Settings
from auditor.core.errors import BadFile, NotFound, StoreCorrupt
from auditor.formats.records import Roles
from auditor.policy import Policy
from auditor.store import Store
from auditor.store.backups.outside import files_beside, restore_files, save_files
from auditor.store.backups.restoring import restore_backup
from auditor.store.connection import Connection
from auditor.store.schema.head import ensure_schema
from auditor.subjects.microdata.repository import Microdata
from tests.support.commands import Finished, run_auditor
from tests.support.documented import run_block
from tests.support.emptying import empty
from tests.support.object_store import object_store
from tests.support.stored_records import add_records, records_of

# an emptied store for each test
pytestmark = [pytest.mark.neo4j, pytest.mark.slow, pytest.mark.usefixtures("neo4j_connection")]

ROOT = Path(__file__).resolve().parents[3]
CANARY = "quagmire"
TEXT = "age,sex,region,income,weight\n" + "".join(
    f"{20 + number % 7},{'fm'[number % 2]},{CANARY}{number % 3 > 0},{4815100 + number},{1 + number % 4}\n"
    for number in range(30)
)


@pytest.fixture
def store(neo4j_connection: Connection) -> Store:
    ensure_schema(neo4j_connection)
    return Store(neo4j_connection)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_from_a_file_into_the_store_and_out_again(people: Path, tmp_path: Path, neo4j_settings: Settings) -> None:
    def auditor(*arguments: object, code: int = 0) -> Finished:
        ended = run_auditor(["--json", *arguments], neo4j_settings.home)
        assert ended.code == code, ended.err
        assert not [word for word in (CANARY, "48151", "Traceback") if word in ended.out + ended.err]
        return ended

    roles = ("--quasi-identifier", "age,sex", "--sensitive", "income", "--weight", "weight")
    added = auditor("microdata", "add", "people", people, *roles).json
    assert (added["records"], added["kept"]) == (30, True)
    assert {column["name"]: column["role"] for column in added["columns"]}["age"] == "quasi-identifier"
    shown = auditor("microdata", "show", "people").json
    kept = Path(shown["path"])
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    there = set(kept.parent.iterdir())
    assert "already" in auditor("microdata", "add", "people", people, *roles, code=2).err
    assert set(kept.parent.iterdir()) == there

    audited = auditor("microdata", "audit", "people", "--k", 5, code=1).json
    assert audited["audit"]
    assert [one["name"] for one in auditor("microdata", "list").json["microdata"]] == ["people"]
    (run,) = auditor("audit", "run", "microdata:people", code=1).json["audits"]
    assert run["verdict"] == "violated"
    assert "stored, with the roles" in auditor("microdata", "audit", "people", *roles, code=2).err

    look = run_auditor(["--json", "microdata", "audit", "people", "--k", "5", "--show-values"], neo4j_settings.home)
    assert look.code == 1
    assert len(look.json["exposed"]) > 0
    assert auditor("ledger", "show").json["entries"][0]["kind"] == "records_shown"

    # what somebody else wrote into the file is no longer what was added
    auditor("microdata", "add", "moving", people, *roles, "--in-place")
    people.write_text(f"{TEXT}20,f,{CANARY},4815162,1\n", encoding="utf-8")
    moved = auditor("microdata", "audit", "moving", code=1).json
    assert "changed since it was added" in moved["findings"][0]["message"]
    assert moved["audit"] == auditor("audit", "list", "microdata:moving").json["audits"][0]["id"]
    (again,) = auditor("audit", "run", "microdata:moving", code=1).json["audits"]
    assert [finding["rule"] for finding in again["findings"]] == ["same_file"]
    people.write_text("age,job\n1,2\n", encoding="utf-8")
    assert "other columns" in auditor("microdata", "audit", "moving", code=1).out
    people.unlink()
    assert "cannot be read" in auditor("microdata", "audit", "moving", code=1).out

    backup, files = tmp_path / "backup.jsonl.zst", tmp_path / "backup.jsonl.zst.files"
    auditor("store", "backup", backup, "--with-records")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (files, *files.iterdir())] == [0o700, 0o600]
    assert "exists already" in auditor("store", "backup", backup, "--with-records", code=2).err
    auditor("microdata", "remove", "people", "--yes")
    assert not kept.exists()
    assert "no microdata 'people'" in auditor("microdata", "show", "people", code=2).err
    auditor("ledger", "verify")


def test_records_at_an_address(tmp_path: Path, neo4j_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def auditor(*arguments: object, code: int = 0) -> Finished:
        ended = run_auditor(["--json", *arguments], neo4j_settings.home)
        assert ended.code == code, ended.err
        assert not [word for word in (CANARY, "48151", "Traceback") if word in ended.out + ended.err]
        return ended

    address, roles = "s3://town/2026/people.csv", ("--quasi-identifier", "age,sex", "--sensitive", "income")
    with object_store(monkeypatch) as objects:
        objects.objects["town/2026/people.csv"] = TEXT.encode()
        audited = auditor("microdata", "audit", address, *roles, "--k", 2).json
        assert audited["microdata"] == address
        added = auditor("microdata", "add", "people", address, *roles, "--in-place").json
        assert (added["records"], added["kept"], added["source"]) == (30, False, "people.csv")
        assert auditor("microdata", "show", "people").json["path"] == address
        assert auditor("microdata", "add", "copied", address, *roles).json["kept"]
        auditor("microdata", "audit", "people", "--k", 2)
        out = tmp_path / "released.csv"
        auditor(
            "microdata", "microaggregate", "people", "--k", 5, "--attribute", "age", "--method", "mdav", "--out", out
        )
        (run,) = auditor("audit", "run", "microdata:people", code=1).json["audits"]
        assert "same_file" not in str(run)
        objects.objects["town/2026/people.csv"] = TEXT.replace("20,", "21,").encode()
        assert "changed since it was added" in auditor("microdata", "audit", "people", code=1).out
        assert "changed since it was added" in auditor("audit", "run", "microdata:people", code=1).out
        objects.objects["town/2026/people.csv"] = b"height\n1\n"
        assert "has other columns" in auditor("microdata", "audit", "people", code=1).out
        del objects.objects["town/2026/people.csv"]
        assert "cannot be read; put it back" in auditor("microdata", "audit", "people", code=1).out
        assert "cannot be read; put it back" in auditor("audit", "run", "microdata:people", code=1).out
        auditor("microdata", "remove", "people", "--yes")


def test_a_backup_with_records_is_restored_elsewhere(
    people: Path, tmp_path: Path, store: Store, neo4j_settings: Settings
) -> None:
    info = add_records(store, "people", tmp_path / "home")
    backup = tmp_path / "backup.jsonl.zst"
    assert save_files(store.connection, backup) == 1
    store.backup(backup, actor="ada")
    before = records_of(info)
    Path(info.path).unlink()
    empty(store.connection)
    restore_backup(store.connection, backup, actor="eve")
    assert run_audit(store, "microdata:people", Policy(), trigger="t", actor="a").findings[0].rule == "same_file"
    assert restore_files(store.connection, backup, tmp_path / "elsewhere") == 1
    restored = Microdata(store).show("people")
    assert Path(restored.path).parent == tmp_path / "elsewhere" / "records"
    assert records_of(restored) == before
    again = run_audit(store, "microdata:people", Policy(), trigger="t", actor="a").findings
    assert "same_file" not in [finding.rule for finding in again]
    # a copy that was damaged is not taken
    (copy,) = files_beside(backup).iterdir()
    copy.write_bytes(b"PAR1")
    with pytest.raises(BadFile, match="damaged"):
        restore_files(store.connection, backup, tmp_path / "third")
    assert list((tmp_path / "third" / "records").iterdir()) == []
    Path(restored.path).write_bytes(b"PAR1")
    with pytest.raises(StoreCorrupt, match="not what was stored"):
        save_files(store.connection, tmp_path / "other.zst")
    assert not files_beside(tmp_path / "other.zst").exists()


def test_a_backup_with_records_holds_their_populations(
    people: Path, tmp_path: Path, store: Store, neo4j_settings: Settings
) -> None:
    towns = tmp_path / "towns.csv"
    towns.write_text("sex,population\nf,900000\nm,12\n", encoding="utf-8")
    roles = Roles(quasi_identifiers=("age", "sex"), geography=("sex",), populations=str(towns))
    info = add_records(store, "people", tmp_path / "home", roles=roles)
    policy = Policy.model_validate({"microdata": {"min_unit_population": 20_001}})
    before = found(store, policy)
    assert "min_unit_population" in [rule for rule, _ in before]
    backup = tmp_path / "backup.jsonl.zst"
    assert save_files(store.connection, backup) == 2
    assert {stat.S_IMODE(path.stat().st_mode) for path in files_beside(backup).iterdir()} == {0o600}
    store.backup(backup, actor="ada")
    Path(info.path).unlink()
    towns.unlink()
    empty(store.connection)
    restore_backup(store.connection, backup, actor="eve")
    assert restore_files(store.connection, backup, tmp_path / "elsewhere") == 2
    restored = Microdata(store).show("people")
    kept = Path(str(restored.declared.populations))
    assert kept.parent == Path(restored.path).parent == tmp_path / "elsewhere" / "records"
    assert restored.declared == replace(roles, populations=str(kept))
    assert found(store, policy) == before
    # a backup of the restored store holds it, too; a damaged copy is not taken, and leaves nothing
    assert save_files(store.connection, backup, force=True) == 2
    (copy,) = files_beside(backup).glob("*.populations")
    copy.write_text("sex,population\n", encoding="utf-8")
    with pytest.raises(BadFile, match=r"populations of 'people' in .* damaged"):
        restore_files(store.connection, backup, tmp_path / "third")
    assert list((tmp_path / "third" / "records").iterdir()) == []
    kept.unlink()
    with pytest.raises(NotFound, match=r"cannot be read .*; put it back"):
        save_files(store.connection, tmp_path / "other.zst")
    kept.write_text("sex,population\n", encoding="utf-8")
    Microdata(store).remove("people", actor="ada")
    assert list(kept.parent.iterdir()) == []


def found(store: Store, policy: Policy) -> list[tuple[str, float | None]]:
    audit = run_audit(store, "microdata:people", policy, trigger="t", actor="a")
    return [(finding.rule, finding.figure) for finding in audit.findings]


def hasty(block: str) -> str:
    """Return commands for files larger than memory with the effort that small ones need."""
    return block.replace(" --large ", " --large --effort 1 ")


def test_the_commands_of_the_page_run(people: Path, neo4j_settings: Settings) -> None:
    page = (ROOT / "docs" / "microdata.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(sh|toml)\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    roles = next(text for language, text in blocks if language == "toml" and "quasi_identifiers" in text)
    (people.parent / "roles.toml").write_text(roles, encoding="utf-8")
    header, *rows = TEXT.splitlines()
    named = [f"person,{header}", *(f"P{number},{row}" for number, row in enumerate(rows))]
    people.write_text("\n".join(named) + "\n", encoding="utf-8")
    pq.write_table(read_csv(people), people.with_suffix(".parquet"))
    told = []
    for language, text in blocks:
        if language == "sh":
            # the answer of every audit is no
            block = re.sub(r"^(.* audit .*)$", r"{ \1\n} && exit 99 || test $? -eq 1", text, flags=re.MULTILINE)
            told.append(run_block(hasty(block), people.parent, neo4j_settings.home, neo4j_settings))
    assert "violated" in told[0]
    assert "quasi-identifier" in told[1]
    assert CANARY not in "".join(told)


def test_the_commands_of_the_page_on_generalization_run(tmp_path: Path, neo4j_settings: Settings) -> None:
    page = (ROOT / "docs" / "generalization.md").read_text(encoding="utf-8")
    shutil.copy(ROOT / "auditor" / "data" / "people.csv", tmp_path)
    pq.write_table(read_csv(tmp_path / "people.csv"), tmp_path / "people.parquet")
    for text in re.findall(r"^```sh\n(.*?)^```", page, re.DOTALL | re.MULTILINE):
        kinds = {"--dry-run": "nothing was written", "microdata verify": "holds what it claims"}
        wanted = next((said for words, said in kinds.items() if words in text), "a version was written")
        assert wanted in run_block(hasty(text), tmp_path, neo4j_settings.home, neo4j_settings)
