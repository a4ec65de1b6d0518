"""Locks on files: one holder at a time, and none that outlives its process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import lock_descriptor, unlock_descriptor

from auditor.core import staging
from auditor.core.staging import staging_folder
from auditor.notifications.file import append_line
from auditor.store.local.locks import try_lock

HOLDS = "import sys, time; from auditor.store.local.locks import try_lock; file = open(sys.argv[1], 'a'); "
HOLDS += "print(try_lock(file), flush=True); sys.stdin.read()"
STAGES = "import sys; from pathlib import Path; from auditor.core.staging import staging_folder\n"
STAGES += "with staging_folder(Path(sys.argv[1])) as folder: print(folder, flush=True); sys.stdin.read()"


@contextmanager
def process(code: str, path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run code that says one line and goes on; killed at the end, as if the machine had lost it."""
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            yield running, running.stdout.readline().strip()
        finally:
            running.kill()


def test_a_lock_ends_with_the_process_that_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with path.open("a") as mine:
        with process(HOLDS, path) as (holder, said):
            assert said == "True"
            assert not try_lock(mine)
            holder.kill()
            holder.wait()
            assert try_lock(mine)
        with process(HOLDS, path) as (_, said):
            assert said == "False"
        unlock_descriptor(mine.fileno())
        with process(HOLDS, path) as (_, said):
            assert said == "True"


def test_of_those_who_start_at_once_one_wins(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    files = [path.open("a") for _ in range(5)]
    try:
        assert [try_lock(file) for file in files] == [True, False, False, False, False]
        files[0].close()
        assert sum(try_lock(file) for file in files[1:]) == 1
    finally:
        for file in files:
            file.close()


def test_a_lock_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with path.open("a") as mine:
        lock_descriptor(mine.fileno())
        waits = "import sys; from filelock import lock_descriptor; file = open(sys.argv[1], 'a')\n"
        waits += "print('waits', flush=True); lock_descriptor(file.fileno()); print('has it', flush=True)"
        with process(waits, path) as (waiter, said):
            assert said == "waits"
            assert waiter.poll() is None
            unlock_descriptor(mine.fileno())
            assert waiter.stdout is not None
            assert waiter.stdout.readline() == "has it\n"


def test_a_child_does_not_inherit_a_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with path.open("a") as mine:
        assert try_lock(mine)
        child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
        try:
            mine.close()
            with path.open("a") as other:
                assert try_lock(other)
        finally:
            child.kill()
            child.communicate()


def test_what_a_killed_process_staged_is_removed_and_what_a_living_one_stages_stays(tmp_path: Path) -> None:
    with process(STAGES, tmp_path / "a.csv") as (writer, folder):
        with staging_folder(tmp_path / "b.csv"):
            assert Path(folder).is_dir()
        writer.kill()
        writer.wait()
        assert Path(folder).is_dir()
        with staging_folder(tmp_path / "b.csv"):
            assert not Path(folder).parent.exists()
    assert list(tmp_path.iterdir()) == []


def test_at_whatever_step_a_process_ends_what_it_staged_is_removed(tmp_path: Path) -> None:
    steps = 0
    while not staged_until(tmp_path / "a.csv", steps):
        with staging_folder(tmp_path / "b.csv"):
            pass
        assert list(tmp_path.iterdir()) == [], f"ended before step {steps}"
        steps += 1
    assert steps > 10


def staged_until(path: Path, steps: int) -> bool:
    """Stage a file in a process that ends before it takes another step in the file system; return whether it did all.

    Steps are what the interpreter tells its audit hooks: folders made, files opened, removed and listed.
    """
    if (child := os.fork()) == 0:
        left = steps

        def count(event: str, _: object) -> None:
            nonlocal left
            if event.startswith(("os.", "shutil.")) or event == "open":
                left -= 1
                if left < 0:
                    os._exit(1)

        sys.addaudithook(count)
        with staging_folder(path) as folder:
            (folder / "a.csv").write_text("a")
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_folder_that_another_one_removed_before_it_was_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    removed = []

    def lock_late(lock: int, **options: bool) -> bool:
        if not removed:
            [folder] = tmp_path.iterdir()
            removed.append(folder)
            shutil.rmtree(folder)
        return lock_descriptor(lock, **options)

    monkeypatch.setattr(staging, "lock_descriptor", lock_late)
    with staging_folder(tmp_path / "a.csv") as folder:
        assert folder.is_dir()
        assert folder.parent not in removed
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("left", ["", '{"a": 1}\n', '{"a": 1'])
def test_a_line_waits_for_another_sender(tmp_path: Path, left: str) -> None:
    path = tmp_path / "messages"
    path.write_text(left, encoding="utf-8")
    sends = "import sys; from pathlib import Path; from auditor.notifications.file import append_line\n"
    sends += "print('sends', flush=True); append_line(Path(sys.argv[1]), '{\"b\": 2}'); print('sent', flush=True)"
    with path.open("a") as mine:
        lock_descriptor(mine.fileno())
        with process(sends, path) as (sender, said):
            assert said == "sends"
            assert path.read_text(encoding="utf-8") == left
            unlock_descriptor(mine.fileno())
            assert sender.stdout is not None
            assert sender.stdout.readline() == "sent\n"
    append_line(path, "{}")
    whole = left if left.endswith("\n") or not left else left + "\n"
    assert path.read_text(encoding="utf-8") == whole + '{"b": 2}\n{}\n'
