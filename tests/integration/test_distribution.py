"""What is built for others: the wheel holds all that is used, works where it is installed, and is the sdist's."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PACKAGES = ("auditor", "cli", "graphkit")


def build(source: Path, out: Path, *targets: str) -> None:
    """Build with what is pinned, without a network."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(out)]
    done = subprocess.run([*command, *targets], cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the sdist."""
    out = tmp_path_factory.mktemp("dist")
    build(ROOT, out)
    (wheel,), (sdist,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return wheel, sdist


def contents(wheel: Path) -> dict[str, bytes]:
    """Return every file of a wheel but the list of its files."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/RECORD")}


def test_the_wheel_holds_the_packages_and_nothing_else(built: tuple[Path, Path]) -> None:
    ours = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    # the pages show the documentation
    ours |= {f"auditor/{path.relative_to(ROOT)}": path.read_bytes() for path in DOCS.rglob("*") if path.is_file()}
    found = contents(built[0])
    told = {name for name in found if ".dist-info/" in name}
    assert {name: found[name] for name in found.keys() - told} == ours
    assert {Path(name).name for name in told} == {"METADATA", "WHEEL", "entry_points.txt", "LICENSE"}


def test_the_sdist_makes_the_same_wheel(built: tuple[Path, Path], tmp_path: Path) -> None:
    with tarfile.open(built[1]) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    build(source, tmp_path / "again", "-t", "wheel")
    (again,) = (tmp_path / "again").glob("*.whl")
    assert contents(again) == contents(built[0])


def test_the_wheel_works_where_it_is_installed(built: tuple[Path, Path], tmp_path: Path) -> None:
    place, folder = tmp_path / "place", tmp_path / "folder"
    folder.mkdir()
    install = ["install", "--quiet", "--no-deps", "--no-index", "--no-compile", "--target", str(place), str(built[0])]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True, timeout=120)
    # what it needs of others is here already; it comes first
    environ = os.environ | {"PYTHONPATH": str(place), "AUDITOR_HOME": str(tmp_path / "home"), "NO_COLOR": "1"}

    def said(*command: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-P", *command], cwd=folder, env=environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stderr
        return done.stdout

    where = said("-c", "import auditor, cli, graphkit; print(auditor.__file__, cli.__file__, graphkit.__file__)")
    assert all(Path(path).is_relative_to(place) for path in where.split())
    command = str(place / "bin" / "auditor")
    assert said(command, "--version").strip()
    said(command, "demo", "--files", "sample")
    assert "20 of 80" in said(command, "network", "audit", "sample/friends.csv", "--k", "5", code=1)
    said(command, "table", "bounds", "sample/survey.csv", "--given", "sex,smoking", "--outer", "--json")
