"""Where the files of the local store are."""

from dataclasses import dataclass
from pathlib import Path

from auditor.config import Settings

NEO4J_VERSION = "5.26.18"


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths below the home of the local store, and the folder of the server's jars.

    Parameters
    ----------
    home : Path
        Holds the data, the state and the log; one store, one server.
    jars : Path
        Folder of the jars; below the cache, or the one named by ``AUDITOR_NEO4J_LIB``.
    brought : bool
        Whether the jars are fetched and checked by the auditor (False: somebody else's, used as they are).
    """

    home: Path
    jars: Path
    brought: bool

    @classmethod
    def of(cls, settings: Settings) -> "Layout":
        """Return the layout that the settings ask for."""
        if settings.neo4j_lib is not None:
            return cls(settings.home, settings.neo4j_lib, brought=False)
        return cls(settings.home, settings.cache / f"neo4j-{NEO4J_VERSION}", brought=True)

    @property
    def version(self) -> str:
        """Version of the server; of somebody else's as its jars are named."""
        if self.brought:
            return NEO4J_VERSION
        names = sorted(path.stem for path in self.jars.glob("neo4j-dbms-*.jar"))
        return names[-1].removeprefix("neo4j-dbms-") if names else "unknown"

    @property
    def install_lock(self) -> Path:
        """Held by the process that fetches the jars."""
        return self.jars.with_name(f"{self.jars.name}.lock")

    @property
    def classes(self) -> Path:
        """Folder of the archives of the server's classes; what somebody else brought is left as it is."""
        return self.jars.with_name(f"{self.jars.name}-classes") if self.brought else self.home / "classes"

    @property
    def neo4j(self) -> Path:
        """Home of the database: its ``data`` and ``logs`` are below."""
        return self.home / "neo4j"

    @property
    def state(self) -> Path:
        """Who serves, and where: written by the server, mode 0600."""
        return self.home / "server.json"

    @property
    def start_lock(self) -> Path:
        """Held by the process that starts, stops or retires the server, for as long as that takes."""
        return self.home / "start.lock"

    @property
    def server_lock(self) -> Path:
        """Held by the server for as long as it lives."""
        return self.home / "server.lock"

    @property
    def log(self) -> Path:
        """What the server process prints."""
        return self.home / "server.log"
