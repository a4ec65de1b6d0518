"""The archive of classes: one for each runtime, class path and options; written once, by one process, aside."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from filelock import lock_descriptor

from auditor.store.local.classes import ClassArchive, class_path

JAVA = '#!/bin/sh\nfor option; do case "$option" in -XX:SharedArchiveFile=*) echo base > "${option#*=}";; esac; done\n'


class Place:
    """A runtime that writes a base archive when asked, and two jars."""

    def __init__(self, folder: Path) -> None:
        self.java, self.archives = folder / "java", folder / "classes"
        for file in (self.java / "lib" / "modules", self.java / "release", *self.jars):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("one")
        self.write_java(JAVA)

    @property
    def jars(self) -> list[Path]:
        return [self.java.with_name("jars") / name for name in ("a.jar", "b.jar")]

    def write_java(self, script: str) -> None:
        program = self.java / "bin" / "java"
        program.parent.mkdir(exist_ok=True)
        program.write_text(script)
        program.chmod(0o700)

    def archive(self, *options: str) -> ClassArchive:
        return ClassArchive(self.archives, self.java, self.jars, options)

    def names(self) -> set[str]:
        return {path.name.partition("-")[2] for path in self.archives.glob("*.jsa")}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setattr(os, "nice", lambda step: step)
    return Place(tmp_path)


def is_used(archive: ClassArchive) -> bool:
    return "-server.jsa" in archive.options()[0]


def is_noting(archive: ClassArchive) -> bool:
    return "-XX:+RecordDynamicDumpInfo" in archive.options()


def write(file: str) -> None:
    Path(file).write_text("top")


def make(archive: ClassArchive) -> None:
    assert is_noting(archive)
    archive.finish(write)


def test_the_first_start_notes_the_classes_and_the_next_one_uses_them(place: Place) -> None:
    make(place.archive())
    assert place.names() == {"runtime.jsa", "server.jsa"}
    again = place.archive()
    assert is_used(again)
    assert not is_noting(again)
    again.finish(lambda file: pytest.fail("there is one already"))


@pytest.mark.parametrize("change", ["jar", "runtime", "options", "time"])
def test_another_jar_runtime_or_option_makes_another_archive(place: Place, change: str) -> None:
    make(place.archive())
    if change == "jar":
        place.jars[0].write_text("longer")
    elif change == "runtime":
        (place.java / "release").write_text("longer")
    elif change == "time":
        os.utime(place.jars[1], (1, 1))
    other = place.archive(*(["-Xrs"] if change == "options" else []))
    assert not is_used(other)
    assert is_noting(other)


def test_an_archive_that_is_refused_is_written_again_once(place: Place) -> None:
    for is_left in (False, True):
        make(place.archive())
        refused = place.archive()
        assert is_used(refused)
        # this process has not opened it
        refused.check_used()
        assert place.names() == ({"runtime.jsa", "server.jsa"} if is_left else set())


def test_a_dump_that_fails_leaves_nothing_and_raises_nothing(place: Place) -> None:
    archive = place.archive()
    assert is_noting(archive)

    def fail(file: str) -> None:
        write(file)
        raise RuntimeError("the virtual machine refused")

    archive.finish(fail)
    assert place.names() == {"runtime.jsa"}
    assert is_noting(place.archive())


@pytest.mark.parametrize("script", ["#!/bin/sh\nexit 1\n", "#!/nowhere\n", "#!/bin/sh\nexit 0\n"])
def test_a_runtime_that_cannot_write_archives_starts_without(place: Place, script: str) -> None:
    place.write_java(script)
    archive = place.archive()
    assert archive.options() == ("-Xshare:auto",)
    archive.finish(lambda file: pytest.fail("nothing was noted"))
    assert place.names() == set()


def test_a_folder_that_cannot_be_made_starts_without(place: Place) -> None:
    place.archives.write_text("a file")
    assert place.archive().options() == ("-Xshare:auto",)


def test_while_another_process_writes_nothing_is_written(place: Place) -> None:
    first, second = place.archive(), place.archive()
    assert is_noting(first)
    assert is_noting(second)
    with (place.archives / "lock").open("a") as lock:
        lock_descriptor(lock.fileno())
        first.finish(lambda file: pytest.fail("another one writes"))
    second.finish(write)
    assert is_used(place.archive())


def test_what_a_killed_writer_left_is_removed(place: Place) -> None:
    place.archives.mkdir()
    (place.archives / "aside-left.jsa").write_text("half")
    make(place.archive())
    assert not list(place.archives.glob("aside-*"))


def test_only_the_archives_that_were_used_last_are_kept(place: Place) -> None:
    for number in range(4):
        make(place.archive(str(number)))
        for path in place.archives.glob("*.jsa"):
            os.utime(path, (path.stat().st_mtime - 100, path.stat().st_mtime - 100))
        assert is_used(place.archive("0")), "which touches it"
    assert [is_used(place.archive(str(number))) for number in range(4)] == [True, False, True, True]


def test_a_jar_that_names_others_stands_behind_them(tmp_path: Path) -> None:
    for name in ("txw2.jar", "jaxb-runtime-2.3.2.jar", "a.jar", "no.txt"):
        (tmp_path / name).touch()
    assert [path.name for path in class_path(tmp_path)] == ["a.jar", "txw2.jar", "jaxb-runtime-2.3.2.jar"]
