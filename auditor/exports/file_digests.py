"""All files of an export against their digests: a network may be published in more than one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from auditor.core.digests import file_digest
from graphkit.verification import Check

_GONE = "missing"


@dataclass(frozen=True, slots=True)
class FilesNow:
    """Which files of an export are not what was published."""

    missing: tuple[str, ...]
    """Names of files that are gone or cannot be read."""
    changed: tuple[str, ...]
    """Names of files with another digest."""

    @property
    def unchanged(self) -> bool:
        """Whether every file is there as it was published."""
        return not self.missing and not self.changed


def look_at_files(path: Path, digests: Mapping[str, str]) -> FilesNow:
    """Return which files of an export are gone or changed.

    Parameters
    ----------
    path : Path
        Where the main file lies; the others lie beside it.
    digests : mapping
        SHA-256 by file name, of all of them.
    """
    now = dict(zip(digests, present_digests(path, digests), strict=True))
    missing = tuple(name for name, digest in now.items() if digest == _GONE)
    changed = tuple(name for name, digest in now.items() if digest not in (_GONE, digests[name]))
    return FilesNow(missing, changed)


def present_digests(path: Path, names: Iterable[str]) -> list[str]:
    """Return the SHA-256 of each file beside `path` as it is now, `missing` where it cannot be read."""
    found = []
    for name in names:
        try:
            found.append(file_digest(path.with_name(name)))
        except OSError:
            found.append(_GONE)
    return found


def files_check(path: Path, digests: Mapping[str, str]) -> Check:
    """Check that every file of an export is there (`file`, where one is not) and unchanged (`checksum`).

    Parameters
    ----------
    path : Path
        Where the main file lies. It may have another name than at publication, where it is the only one: it is this
        file that is looked at, whatever lies beside it.
    digests : mapping
        SHA-256 by file name, of all of them.
    """
    if path.name not in digests:
        return _renamed_check(path, digests)
    now = look_at_files(path, digests)
    if path.name in now.missing:
        return Check("file", False, "the released file is not where it was published, or cannot be read")
    if now.missing:
        return Check("file", False, f"not where it was published, or cannot be read: {', '.join(now.missing)}")
    if now.changed:
        which = "the file was" if len(digests) == 1 else f"{', '.join(now.changed)}:"
        return Check("checksum", False, f"{which} changed since publication")
    whose = "checksum is the one" if len(digests) == 1 else f"checksums of all {len(digests)} files are those"
    return Check("checksum", True, f"the {whose} recorded at publication")


def _renamed_check(path: Path, digests: Mapping[str, str]) -> Check:
    names = ", ".join(digests)
    if len(digests) != 1:
        return Check("file", False, f"what was published is {names}; give these files their names again")
    (digest,) = present_digests(path, (path.name,))
    if digest == _GONE:
        return Check("file", False, "the released file is not where it was published, or cannot be read")
    if digest not in digests.values():
        return Check("checksum", False, f"the file is not what was published as {names}, or changed since")
    return Check("checksum", True, f"the checksum is the one recorded at publication, as {names}")
