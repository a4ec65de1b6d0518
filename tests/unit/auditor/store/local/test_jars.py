"""Installing the server: from a Maven repository made of small files, with checksums of its own."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from auditor.core.errors import StoreCorrupt, StoreUnavailable
from auditor.store.local import jars as module
from auditor.store.local.jars import Jar, install_jars, is_installed, pinned_jars
from auditor.store.local.layout import NEO4J_VERSION, Layout


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Maven repository with the pinned jars, which are three small files; nothing can be fetched."""
    jars = []
    for number, classifier in enumerate(("", "", "linux")):
        content = f"jar {number}".encode() * 1000
        digest = hashlib.sha256(content).hexdigest()
        jar = Jar("org.example", f"part{number}", "1.0", classifier, len(content), digest)
        path = tmp_path / "m2" / "org/example" / jar.artifact / jar.version / jar.filename
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
        jars.append(jar)
    monkeypatch.setattr(module, "pinned_jars", lambda: tuple(jars))
    monkeypatch.setenv("M2_REPO", str(tmp_path / "m2"))
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    return tmp_path / "m2"


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return Layout(tmp_path / "home", tmp_path / "cache" / "neo4j", brought=True)


def test_the_shipped_pins_are_sorted_unique_and_whole() -> None:
    lines = Path(module.__file__).with_name("jars.txt").read_text(encoding="ascii").splitlines()
    assert lines == sorted(set(lines))
    jars = pinned_jars()
    assert len({jar.filename for jar in jars}) == len(jars) == 217
    assert all(re.fullmatch(r"[0-9a-f]{64}", jar.sha256) and jar.size > 0 for jar in jars)
    assert {jar.version for jar in jars if jar.group == "org.neo4j"} == {NEO4J_VERSION}


def test_installs_once_and_reports_progress(repository: Path, layout: Layout) -> None:
    reports: list[tuple[str, int, int]] = []
    assert not is_installed(layout)
    install_jars(layout, lambda *report: reports.append(report))
    assert is_installed(layout)
    done = [report[1] for report in reports]
    assert done == sorted(done)
    assert done[-1] == reports[-1][2] > 0
    install_jars(layout, lambda *report: pytest.fail("it is installed already"))
    assert {path.name for path in layout.jars.parent.iterdir()} == {"neo4j", "neo4j.lock"}


@pytest.mark.parametrize("damage", ["missing", "short", "marker", "other pins"])
def test_a_damaged_installation_is_noticed_and_replaced(repository: Path, layout: Layout, damage: str) -> None:
    install_jars(layout)
    jar = next(layout.jars.glob("*.jar"))
    match damage:
        case "missing":
            jar.unlink()
        case "short":
            jar.write_bytes(jar.read_bytes()[:-1])
        case "marker":
            (layout.jars / "complete").unlink()
        case "other pins":
            (layout.jars / "complete").write_text("of another version", encoding="ascii")
    assert not is_installed(layout)
    install_jars(layout)
    assert is_installed(layout)


def test_an_earlier_installation_is_made_anew_from_its_own_jars(repository: Path, layout: Layout) -> None:
    install_jars(layout)
    for path in repository.rglob("*.jar"):
        path.unlink()
    (layout.jars / "complete").write_text("of a version that left the signatures in", encoding="ascii")
    install_jars(layout)
    assert is_installed(layout)


def test_what_a_killed_run_left_is_no_installation_and_is_removed(repository: Path, layout: Layout) -> None:
    left = layout.jars.parent / f".{layout.jars.name}-killed"
    left.mkdir(parents=True)
    (left / "half.jar").write_bytes(b"PK")
    assert not is_installed(layout)
    install_jars(layout)
    assert not left.exists()


def test_a_wrong_jar_of_the_users_repository_is_not_taken(repository: Path, layout: Layout) -> None:
    next(repository.rglob("part0*.jar")).write_bytes(b"something else")
    with pytest.raises(StoreUnavailable, match=r"AUDITOR_NEO4J_LIB .* --store"):
        install_jars(layout)
    assert [path.name for path in layout.jars.parent.iterdir()] == ["neo4j.lock"], "nothing half is left"


def test_a_wrong_jar_from_the_network_is_refused(
    repository: Path, layout: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    wrong = tmp_path / "wrong.jar"
    wrong.write_bytes(b"something else")
    next(repository.rglob("part0*.jar")).unlink()
    monkeypatch.setattr(module, "_downloads", lambda folder: lambda jar: wrong)
    with pytest.raises(StoreCorrupt, match=r"part0-1\.0\.jar as fetched is not the file that was pinned"):
        install_jars(layout)
    assert not layout.jars.exists()


def test_a_cache_that_cannot_be_written_is_told(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    layout = Layout(tmp_path / "home", tmp_path / "file" / "neo4j", brought=True)
    with pytest.raises(StoreUnavailable, match=r"cannot write the Neo4j server to .*AUDITOR_CACHE"):
        install_jars(layout)


def test_a_folder_of_somebody_elses_jars_must_hold_them(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "home", tmp_path / "lib", brought=False)
    with pytest.raises(StoreUnavailable, match=r"AUDITOR_NEO4J_LIB names .* which holds no Neo4j jars"):
        install_jars(layout)
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "neo4j-dbms-5.26.99.jar").touch()
    install_jars(layout)
    assert is_installed(layout)
    assert layout.version == "5.26.99"
