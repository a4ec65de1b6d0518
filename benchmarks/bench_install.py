"""What is installed from the wheel, in fresh environments: that it works there, how large it is, how soon it answers.

By hand alone, since it fetches hundreds of megabytes: AUDITOR_BENCH_PYTHONS names the Pythons (several as in PATH).
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.process import measure, median_seconds
from benchmarks.row import Row

PYTHONS = "AUDITOR_BENCH_PYTHONS"
_ROOT = Path(__file__).resolve().parent.parent
_EDGES, _VERTICES = 100_000, 30_000
_FIRST_STEPS = (
    ("--help", 0),
    ("demo --files sample", 0),
    ("network audit sample/friends.csv --k 5", 1),
    ("network audit sample/friends.csv --k 5 --knowledge all", 1),
    ("network anonymize sample/friends.csv --k 5 --out public.csv", 0),
    ("audit files public.csv --preset internal --format sarif", 0),
    ("microdata audit sample/people.csv --quasi-identifier region,age,hours", 1),
    ("table bounds sample/survey.csv --given sex,smoking", 0),
    ("report public.csv --out report.html", 0),
)
_STEPS_WITH_STORE = (("demo", 0), ("store stop", 0))
_IMPORT = "import time; start = time.perf_counter(); import graphkit.networks; print(time.perf_counter() - start)"
_EVERY_MODULE = """
import importlib, pkgutil, auditor, cli, graphkit
for package in (auditor, cli, graphkit):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
"""


def run(data_dir: Path | None) -> Iterator[Row]:
    """Measure the core and all extras in each Python, and the first verdict by `uvx` where that is installed."""
    pythons = list(filter(None, os.environ.get(PYTHONS, "").split(os.pathsep)))
    if not pythons:
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", name], cwd=_ROOT, check=True)
        (wheel,) = folder.glob("*.whl")
        for number, python in enumerate(pythons):
            yield from _installed(python, wheel, folder / str(number))
        if shutil.which("uvx"):
            yield _first_verdict(pythons[-1], wheel, folder)


def _installed(python: str, wheel: Path, folder: Path) -> Iterator[Row]:
    version = measure([python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]).stdout.strip()
    core = _environment(python, folder / "core", str(wheel))
    yield Row(f"Python {version}, core: size of the environment", _mebibytes(core), "MiB", bar=800.0)
    _work(core, folder / "core steps", *_FIRST_STEPS)
    seconds = min(float(measure([str(core / "bin/python"), "-c", _IMPORT]).stdout) for _ in range(5))
    yield Row(f"Python {version}, core: import graphkit.networks", seconds, "s", bar=0.5)
    everything = _environment(python, folder / "all", f"{wheel}[all]")
    yield Row(f"Python {version}, all extras: size of the environment", _mebibytes(everything), "MiB")
    measure([str(everything / "bin/python"), "-c", _EVERY_MODULE])
    _work(everything, folder / "all steps", *_FIRST_STEPS, *_STEPS_WITH_STORE)


def _environment(python: str, place: Path, wanted: str) -> Path:
    subprocess.run([python, "-m", "venv", place], check=True)
    subprocess.run([place / "bin/python", "-m", "pip", "install", "--quiet", wanted], check=True)
    return place


def _mebibytes(place: Path) -> float:
    return sum(path.lstat().st_size for path in place.rglob("*") if not path.is_dir()) / (1 << 20)


def _work(environment: Path, folder: Path, *steps: tuple[str, int]) -> None:
    folder.mkdir()
    variables = {**os.environ, "AUDITOR_HOME": str(folder / "home")}
    for words, code in steps:
        command = [str(environment / "bin/auditor"), *words.split()]
        done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
        if done.returncode != code or "Warning:" in done.stderr:
            raise RuntimeError(f"auditor {words} ended with {done.returncode}: {done.stderr.strip()[-500:]}")


def _first_verdict(python: str, wheel: Path, folder: Path) -> Row:
    rng = random.Random(7)
    file = folder / "ties.csv"
    pairs = {tuple(sorted(rng.sample(range(_VERTICES), 2))) for _ in range(_EDGES)}
    file.write_text("".join(f"{low},{high}\n" for low, high in pairs), encoding="ascii")
    uvx = ["uvx", "--python", python, "--from", str(wheel), "auditor"]
    # the first run, which is not counted, fetches
    seconds = median_seconds([*uvx, "network", "audit", str(file), "--k", "5"], runs=3, expect=1)
    return Row("first verdict on 100 000 edges by uvx, fetched before", seconds, "s", bar=10.0)
