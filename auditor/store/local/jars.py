"""Fetch the jars of the local server once, checked against the checksums that are shipped with the auditor.

The jars come from Maven Central through jgo, with the ordinary configuration of the machine; what the user's Maven
repository already holds is taken from there. Which jars, and their SHA-256, is ``jars.txt``: the dependencies of
``org.neo4j:neo4j`` and ``org.neo4j:neo4j-bolt`` of one version, so nothing is resolved on the user's machine. Their own
signatures are taken out once the checksums are found right.
"""

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from filelock import lock_descriptor

from auditor.core.digests import file_digest
from auditor.core.errors import StoreCorrupt, StoreUnavailable
from auditor.core.progress import Progress
from auditor.store.local.layout import NEO4J_VERSION, Layout
from auditor.store.local.signatures import remove_signatures

_MARKER = "complete"
_PREPARED = "without signatures"
"""What was done to the jars; an installation to which other things were done is made anew."""
_DOWNLOADS_AT_ONCE = 6


@dataclass(frozen=True, slots=True)
class Jar:
    """One jar of the server, pinned.

    Parameters
    ----------
    group, artifact, version, classifier : str
        Maven coordinates; the classifier may be empty.
    size : int
        Bytes.
    sha256 : str
        Hexadecimal digest.
    """

    group: str
    artifact: str
    version: str
    classifier: str
    size: int
    sha256: str

    @property
    def filename(self) -> str:
        """Name of the file, as in a Maven repository."""
        return "-".join(part for part in (self.artifact, self.version, self.classifier) if part) + ".jar"


def pinned_jars() -> tuple[Jar, ...]:
    """Return the jars that make up the server, sorted by coordinates."""
    text = resources.files(__package__).joinpath("jars.txt").read_text(encoding="ascii")
    return tuple(_parse(line) for line in text.splitlines())


def _parse(line: str) -> Jar:
    coordinates, size, sha256 = line.split()
    group, artifact, version, *classifier = coordinates.split(":")
    return Jar(group, artifact, version, "".join(classifier), int(size), sha256)


def is_installed(layout: Layout) -> bool:
    """Whether the jars are there: those of the auditor by their marker, number and sizes, others by one of Neo4j's."""
    if not layout.brought:
        return any(layout.jars.glob("neo4j-dbms-*.jar"))
    try:
        if (layout.jars / _MARKER).read_text(encoding="ascii") != _pin():
            return False
        found = {entry.name: entry.stat().st_size for entry in os.scandir(layout.jars)}
    except (OSError, UnicodeDecodeError):
        return False
    return all(found.get(jar.filename) == jar.size for jar in pinned_jars())


def _pin() -> str:
    return hashlib.sha256(repr((pinned_jars(), _PREPARED)).encode()).hexdigest()


def install_jars(layout: Layout, progress: Progress | None = None) -> None:
    """Make sure that the jars of the server are there; return at once when they are.

    Raises
    ------
    StoreUnavailable
        If they cannot be fetched or written; the message says what to do.
    StoreCorrupt
        If a jar is not the one that was pinned.

    Notes
    -----
    The jars are gathered in a folder aside, which is renamed when it is complete: a killed run leaves nothing that
    would be taken for an installation. Of two runs at once the second waits for the first and finds its jars.
    """
    if is_installed(layout):
        return
    if not layout.brought:
        raise StoreUnavailable(
            f"AUDITOR_NEO4J_LIB names {layout.jars}, which holds no Neo4j jars; "
            "let it name the lib folder of an unpacked Neo4j 5.26"
        )
    report = progress or (lambda what, done, total: None)
    try:
        layout.jars.parent.mkdir(parents=True, exist_ok=True)
        with layout.install_lock.open("a", encoding="ascii") as lock:
            lock_descriptor(lock.fileno())
            if not is_installed(layout):
                _install_alone(layout, report)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise StoreUnavailable(
            f"cannot write the Neo4j server to {layout.jars.parent}: {reason}; "
            "it needs 500 MB, and AUDITOR_CACHE names another folder"
        ) from error


def _install_alone(layout: Layout, report: Progress) -> None:
    """Gather the jars aside and rename the folder, while no other process does."""
    for left in layout.jars.parent.glob(f".{layout.jars.name}-*"):
        shutil.rmtree(left, ignore_errors=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{layout.jars.name}-", dir=layout.jars.parent))
    try:
        _gather(aside, layout.jars, report)
        (aside / _MARKER).write_text(_pin(), encoding="ascii")
        if layout.jars.exists():
            shutil.rmtree(layout.jars)
        os.rename(aside, layout.jars)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _gather(folder: Path, earlier: Path, report: Progress) -> None:
    """Put all jars into the folder; those of an earlier installation that are as pinned are taken from there."""
    jars = pinned_jars()
    total = sum(jar.size for jar in jars)
    done = 0
    title = f"fetching Neo4j {NEO4J_VERSION}"
    report(title, 0, total)
    fetch = _downloads(folder / "m2")
    with ThreadPoolExecutor(_DOWNLOADS_AT_ONCE) as pool:
        running = {pool.submit(_place, jar, folder, earlier, fetch): jar for jar in jars}
        try:
            for finished in as_completed(running):
                finished.result()
                done += running[finished].size
                report(title, done, total)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    shutil.rmtree(folder / "m2", ignore_errors=True)


def _place(jar: Jar, folder: Path, earlier: Path, fetch: Callable[[Jar], Path]) -> None:
    """Put one jar into the folder: from an earlier installation or the user's Maven repository, else the network."""
    target = folder / jar.filename
    own = _maven_repository() / jar.group.replace(".", "/") / jar.artifact / jar.version / jar.filename
    if not any(_copied(jar, known, target) for known in (earlier / jar.filename, own)):
        fetched = fetch(jar)
        if file_digest(fetched) != jar.sha256:
            raise StoreCorrupt(f"{jar.filename} as fetched is not the file that was pinned; nothing was installed")
        os.replace(fetched, target)
    remove_signatures(target)


def _copied(jar: Jar, known: Path, target: Path) -> bool:
    """Copy a file that may be there; whether it was, and is the one that was pinned."""
    with contextlib.suppress(OSError):
        shutil.copyfile(known, target)
        return file_digest(target) == jar.sha256
    return False


def _maven_repository() -> Path:
    return Path(os.environ.get("M2_REPO") or Path.home() / ".m2" / "repository")


def _downloads(repository: Path) -> Callable[[Jar], Path]:
    """Return what fetches one jar from Maven Central into a repository of our own."""
    from jgo.maven import MavenContext, PythonResolver

    context: Any = MavenContext(resolver=PythonResolver(), repo_cache=repository, local_repos=[])

    def fetch(jar: Jar) -> Path:
        component = context.project(jar.group, jar.artifact).at_version(jar.version)
        try:
            return Path(component.artifact(jar.classifier, "jar").resolve())
        except Exception as error:
            if isinstance(error, OSError) and error.errno is not None and not hasattr(error, "request"):
                raise
            raise StoreUnavailable(
                f"cannot fetch Neo4j {NEO4J_VERSION} from Maven Central; connect to the network, set AUDITOR_NEO4J_LIB "
                "to the lib folder of an unpacked Neo4j 5.26, or name a server with --store"
            ) from error

    return fetch
