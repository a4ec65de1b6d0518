"""What earlier versions wrote is opened, migrated, verified and restored by this one."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.config import Settings
from tests.support.commands import Finished, run_auditor

pytestmark = pytest.mark.neo4j

PUBLISHED = Path(__file__).parents[2] / "data" / "published"
SCHEMAS = sorted(path for path in PUBLISHED.iterdir() if path.is_dir())


class Published:
    """A store that this version has to go on with, beside the files that were written with it."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder, self.home = folder, home

    def run(self, *arguments: object, code: int = 0) -> Finished:
        ended = run_auditor(arguments, self.home)
        assert ended.code == code, ended.out + ended.err
        return ended


def opened(folder: Path, home: Path) -> None:
    with tarfile.open(folder / "store.tar.xz") as packed:
        packed.extractall(home, filter="data")


def restored(folder: Path, home: Path) -> None:
    ended = run_auditor(["store", "restore", folder / "store.backup.jsonl.zst"], home)
    assert ended.code == 0, ended.err


@pytest.fixture(params=[opened, restored], ids=["opened", "restored"])
def way(request: pytest.FixtureRequest) -> object:
    return request.param


@pytest.fixture(params=SCHEMAS, ids=[path.name for path in SCHEMAS])
def published(
    request: pytest.FixtureRequest, way: object, neo4j_installed: Settings, tmp_path: Path
) -> Iterator[Published]:
    assert callable(way)
    found = Published(request.param, tmp_path)
    way(found.folder, found.home)
    yield found
    found.run("store", "stop")


@pytest.mark.slow
def test_nothing_is_lost_and_no_answer_is_another(published: Published) -> None:
    folder = published.folder
    names = [network["name"] for network in published.run("--json", "network", "list").json["networks"]]
    tables = {table["name"] for table in published.run("--json", "table", "list").json["tables"]}
    waiting = published.run("--json", "approval", "list").json["approvals"]
    assert names == ["friends"]
    assert tables == {"cube", "third", "fourth", "fifth", "sixth", "seventh"}
    assert [approval["state"] for approval in waiting] == ["pending"] * 3
    # what was released follows, also under another name of the same data; what was refused is refused
    for table in ("cube", "third"):
        published.run("table", "request", table, "A,B", "--by", "zoe")
        published.run("table", "request", table, "B,C", "--by", "zoe", "--preset", "internal", code=1)
    assert published.run("--json", "table", "request", "fourth", "B,C", "--by", "zoe").json["answer"] == "simulate"
    # the chain goes on from the checkpoint that was signed with the earlier version
    kept = ["--checkpoint", folder / "ledger.checkpoint", "--public-key", folder / "audit.key.pub"]
    published.run("ledger", "verify", *kept)
    # and what is audited since is held against what was audited then
    found = published.run("--json", "audit", "run", "--all", "--preset", "internal", code=1).json["audits"]
    assert {audit["subject"] for audit in found} >= {"network:friends", "table:cube"}


@pytest.mark.parametrize("folder", SCHEMAS, ids=lambda folder: folder.name)
def test_an_exported_ledger_verifies(folder: Path, tmp_path: Path) -> None:
    kept = ["--checkpoint", folder / "ledger.checkpoint", "--public-key", folder / "audit.key.pub"]
    ended = run_auditor(["ledger", "verify", "--file", folder / "ledger.jsonl", *kept], tmp_path)
    assert ended.code == 0, ended.err
