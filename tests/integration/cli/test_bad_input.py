"""Wrong use and bad files: one clear line, exit code 2, nothing written, no store started."""

import gzip
from pathlib import Path

import pytest

from tests.support.commands import run_auditor

SECRET = "zebulon"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Good and bad files."""
    (tmp_path / "good.csv").write_text("source,target\n" + "".join(f"{SECRET}{i},{SECRET}{i + 1}\n" for i in range(12)))
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "header.csv").write_text("source,target\n")
    (tmp_path / "one.csv").write_text("\n".join(f"{SECRET}{i}" for i in range(5)))
    (tmp_path / "junk.csv").write_bytes(bytes(range(256)) * 9)
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 999)[:-9])
    (tmp_path / "missing.csv").write_text(f"a,b\n{SECRET},\n1,2\n")
    (tmp_path / "taken.csv").write_text("precious")
    (tmp_path / "foreign.vertices.csv").write_text("id,name\n0,precious\n")
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "policy.toml").write_text("[network]\nkay = 3\n")
    return tmp_path


# fmt: off
CASES = {
    "no such file": ["audit", "nothing.csv", "--k", "2"],
    "a folder": ["audit", "folder.csv", "--k", "2"],
    "an empty file": ["audit", "empty.csv", "--k", "2"],
    "a header and no edge": ["audit", "header.csv", "--k", "2"],
    "one column": ["audit", "one.csv", "--k", "2"],
    "binary junk": ["audit", "junk.csv", "--k", "2"],
    "a truncated archive": ["audit", "cut.csv.gz", "--k", "2"],
    "a missing id": ["audit", "missing.csv", "--k", "2"],
    "k is one": ["audit", "good.csv", "--k", "1"],
    "k is a word": ["audit", "good.csv", "--k", "five"],
    "k is more than there are": ["anonymize", "good.csv", "--k", "14", "--out", "out.csv"],
    "no output named": ["anonymize", "good.csv", "--k", "2"],
    "the output exists": ["anonymize", "good.csv", "--k", "2", "--out", "taken.csv"],
    "the output is a folder": ["anonymize", "good.csv", "--k", "2", "--out", "folder.csv"],
    "the output's folder is missing": ["anonymize", "good.csv", "--k", "2", "--out", "no/out.csv"],
    "the output's format is unknown": ["anonymize", "good.csv", "--k", "2", "--out", "out.docx"],
    "the output is the folder itself": ["anonymize", "good.csv", "--k", "2", "--out", "."],
    "the output has no name": ["anonymize", "good.csv", "--k", "2", "--out", ""],
    "a trial with an output that could not be": [
        "anonymize", "good.csv", "--k", "2", "--out", "no/out.csv", "--dry-run",
    ],
    "a trial with an attribute that is not there": ["anonymize", "good.csv", "--k", "2", "--dry-run", "--keep", "age"],
    "the key file is the output": [
        "anonymize", "good.csv", "--k", "2", "--out", "out.csv", "--key-file", "out.csv", "--force",
    ],
    "the key file is the vertex file": [
        "anonymize", "good.csv", "--k", "2", "--out", "out.csv", "--key-file", "out.vertices.csv", "--force",
    ],
    "a vertex file of something else lies there": [
        "anonymize", "good.csv", "--k", "2", "--out", "foreign.tsv", "--force",
    ],
    "the key file exists": ["anonymize", "good.csv", "--k", "2", "--out", "out.csv", "--key-file", "taken.csv"],
    "an unknown method": ["anonymize", "good.csv", "--k", "2", "--out", "out.csv", "--method", "magic"],
    "a time limit of nothing": ["anonymize", "good.csv", "--k", "2", "--out", "out.csv", "--time-limit", "0"],
    "a gap that is no number": ["anonymize", "good.csv", "--k", "2", "--out", "out.csv", "--gap", "small"],
    "a gap of everything": ["anonymize", "good.csv", "--k", "2", "--out", "out.csv", "--gap", "100%"],
    "a negative seed": ["anonymize", "good.csv", "--k", "2", "--out", "out.csv", "--seed", "-1"],
    "an attribute that is not there": ["anonymize", "good.csv", "--k", "2", "--out", "out.csv", "--keep", "age"],
    "an unknown option": ["audit", "good.csv", "--kk", "2"],
    "an unknown command": ["adit", "good.csv"],
    "a policy with an unknown key": ["audit", "good.csv", "--policy", "policy.toml"],
    "a policy that is not there": ["audit", "good.csv", "--policy", "none.toml"],
    "bounds without k": ["bounds", "good.csv"],
    "bounds for a k that is no number": ["bounds", "good.csv", "--k", "2,,5"],
    "bounds for a k of one": ["bounds", "good.csv", "--k", "2,1"],
    "bounds for too large a k": ["bounds", "good.csv", "--k", "99"],
    "a comparison with nothing": ["compare", "good.csv", "nothing.csv"],
}
# fmt: on


@pytest.mark.parametrize("case", sorted(CASES))
def test_one_clear_line_and_exit_code_2(case: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    monkeypatch.chdir(folder)
    before = sorted(path.name for path in folder.iterdir())
    ended = run_auditor(["network", *CASES[case]], folder / "home")
    assert ended.code == 2, ended.err
    assert ended.out == ""
    assert len(ended.err.strip().splitlines()) == 1
    assert ended.err.startswith("auditor: ")
    assert SECRET not in ended.err
    assert sorted(path.name for path in folder.iterdir()) == before, "nothing was written, no store was started"
    assert (folder / "taken.csv").read_text() == "precious"


@pytest.mark.parametrize("out", ["good.csv", "./good.csv", "link.csv", "good.tsv"])
def test_the_original_is_never_replaced_even_with_force(
    out: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    monkeypatch.chdir(folder)
    (folder / "good.vertices.csv").write_text("id\n" + "".join(f"{SECRET}{i}\n" for i in range(14)))
    (folder / "link.csv").symlink_to("good.csv")
    before = {path.name: path.read_bytes() for path in folder.glob("good*")}
    ended = run_auditor(["network", "anonymize", "good.csv", "--k", "2", "--out", out, "--force"], folder / "home")
    assert ended.code == 2, ended.err
    assert "choose another name" in ended.err
    assert {path.name: path.read_bytes() for path in folder.glob("good*")} == before


def test_a_full_disk_at_export_is_exit_code_4(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import resource
    import subprocess
    import sys

    from tests.support.commands import environment

    monkeypatch.chdir(folder)
    (folder / "large.csv").write_text("a,b\n" + "".join(f"{i},{i + 1}\n" for i in range(3000)))
    arguments = ["network", "anonymize", "large.csv", "--k", "2", "--out", "out.csv"]
    ended = subprocess.run(
        [sys.executable, "-m", "cli.app", *arguments],
        env=environment(folder / "home", PYTHONPATH=str(Path(__file__).parents[3]), PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        text=True,
        # the kernel refuses what goes beyond: the same error path as a disk without room
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert ended.returncode == 4, ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1
    assert not list(folder.glob("out*"))
    assert not list(folder.glob(".auditor*"))
