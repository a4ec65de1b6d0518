"""An archive of the server's classes, which the virtual machine maps instead of reading and checking each class anew.

Two files belong together: the classes of the Java runtime, and on top of them those that a server used. A server that
finds no archive starts slowly, notes its classes, and writes the archive when it has ended properly; the next one uses
it. It is never required: whatever is wrong with it costs time and nothing else.
"""

import contextlib
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from auditor.store.local.locks import try_lock

_KEPT = 3
"""Archives: one for each installation that uses the same jars, and those of versions before."""
_DUMP_SECONDS = 120.0
_REFERRING = "jaxb-runtime-"
_NOTING = (
    "-XX:+RecordDynamicDumpInfo",
    "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
    # it would name each class that cannot be archived
    "-Xlog:cds=off",
    "-Xlog:cds+dynamic=off",
)


def class_path(folder: Path) -> tuple[Path, ...]:
    """Return the jars of a folder, in an order that suits the archive.

    Notes
    -----
    A jar whose manifest names others comes last. The virtual machine would otherwise note the others twice, and find
    that its class path is another one than that of the archive.
    """
    return tuple(sorted(folder.glob("*.jar"), key=lambda path: (path.name.startswith(_REFERRING), path.name)))


class ClassArchive:
    """The archive for one runtime, one class path and one set of options.

    Parameters
    ----------
    folder : Path
        Where archives are kept.
    java : Path
        Home of the Java runtime.
    jars : sequence of Path
        The class path, in its order.
    options : sequence of str
        Of the virtual machine, as far as they are the same at each start.
    """

    def __init__(self, folder: Path, java: Path, jars: Sequence[Path], options: Sequence[str]) -> None:
        self._folder, self._java = folder, java
        self._recording = self._using = False
        key = _key((java / "lib" / "modules", java / "release", *jars), options)
        self._base, self._top = folder / f"{key}-runtime.jsa", folder / f"{key}-server.jsa"
        self._refused = folder / f"{key}-refused"

    def options(self) -> tuple[str, ...]:
        """Return what to tell the virtual machine: to use the archive, or to note the classes for one."""
        common = (
            "-Xshare:auto",
            # a damaged archive is noticed when it is opened, not when a class is taken from it
            "-XX:+VerifySharedSpaces",
            # Mapped where it was made for, as it was by default once: elsewhere all of its pointers would be changed
            # first, a third of the time until the virtual machine runs, in 60 MB that are no file's any more then.
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:ArchiveRelocationMode=0",
        )
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            if self._base.exists() and self._top.exists():
                for file in (self._base, self._top):
                    os.utime(file)
                self._using = True
                return (f"-XX:SharedArchiveFile={self._base}{os.pathsep}{self._top}", *common)
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not self._base.exists():
                self._write_alone(self._base, self._dump_base)
            self._recording = self._base.exists()
        if not self._recording:
            return ("-Xshare:auto",)
        return (f"-XX:SharedArchiveFile={self._base}", *common, *_NOTING)

    def check_used(self) -> None:
        """After the start of the virtual machine: remove an archive that it refused, so that a sound one is written.

        Notes
        -----
        Once only: where the next one is refused, too, it is not the file that is wrong. What is open can be told on
        Linux alone; elsewhere a damaged archive slows every start until it is deleted.
        """
        if not self._using:
            return
        with contextlib.suppress(OSError):
            if self._top.name in Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace"):
                return
            if not self._refused.exists():
                self._refused.touch()
                for file in (self._base, self._top):
                    file.unlink(missing_ok=True)

    def finish(self, dump: Callable[[str], None]) -> None:
        """Write the archive if the classes were noted for it; called after the last work of the virtual machine.

        Parameters
        ----------
        dump : callable
            Has the virtual machine write its classes to the file of this name.
        """
        if not self._recording or self._top.exists():
            return
        with contextlib.suppress(Exception):
            # nobody waits for it as for an answer
            os.nice(10)
            self._write_alone(self._top, lambda aside: dump(str(aside)))

    def _dump_base(self, aside: Path) -> None:
        command = [str(self._java / "bin" / "java"), "-Xshare:dump", f"-XX:SharedArchiveFile={aside}", "-Xlog:disable"]
        subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=_DUMP_SECONDS, cwd=self._folder
        )

    def _write_alone(self, target: Path, write: Callable[[Path], None]) -> None:
        """Have a file written aside and renamed, unless another process writes one at this moment."""
        with (self._folder / "lock").open("a", encoding="ascii") as lock:
            if not try_lock(lock):
                return
            for left in self._folder.glob("aside-*"):
                left.unlink()
            with tempfile.NamedTemporaryFile(prefix="aside-", suffix=".jsa", dir=self._folder, delete=False) as file:
                aside = Path(file.name)
            try:
                aside.unlink()
                write(aside)
                aside.replace(target)
            finally:
                aside.unlink(missing_ok=True)
            self._forget_old()

    def _forget_old(self) -> None:
        archives = sorted(self._folder.glob("*-server.jsa"), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in archives[_KEPT:]:
            old.unlink()
            old.with_name(old.name.replace("-server.jsa", "-runtime.jsa")).unlink(missing_ok=True)


def _key(files: Sequence[Path], options: Sequence[str]) -> str:
    """Return what tells this class path from every other: its files as the virtual machine compares them."""
    digest = hashlib.sha256(repr(tuple(options)).encode())
    for path in files:
        found = path.stat()
        digest.update(f"{path}\0{found.st_size}\0{found.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:16]
