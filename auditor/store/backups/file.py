"""The file of a backup: JSON, one object a line, compressed with Zstandard.

======== =====================================================================================================
kind     fields
======== =====================================================================================================
backup   the first line: ``version`` of this format, ``schema`` of the store, ``created_at``, ``made_by``, and a
         random ``nonce``, which older backups lack
store    ``entries`` and ``hash`` of the ledger's head, ``networks``: the last number given to one
node     ``label`` and ``properties``; bytes are ``{"base64": …}``
relation ``type``, ``from`` and ``to``: label and key of a node
vertices ``network``: its id, ``indices``, ``labels`` and, where there are any, ``attributes``: lists of one length
edges    ``network``: its id, ``low`` and ``high``: indices of the ends
end      the last line: ``lines`` before it, and ``sha256`` of their text
======== =====================================================================================================

A node comes before the relations, vertices and edges that name it. ``zstd -dc FILE | head -n -1 | sha256sum`` tells
what the last line must say.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from auditor.core.errors import BadFile

if TYPE_CHECKING:
    from auditor.core.zstd import zstd

FORMAT_VERSION = 1
NONCE = "nonce"
"""Key of the first line under which is what makes the digest of a backup say nothing of its content."""

Record = dict[str, Any]

_LEVEL = 6
_LONGEST_LINE = 1 << 29


def write_records(records: Iterable[Record], stream: BinaryIO) -> str:
    """Write a backup and return the SHA-256 of its text.

    Parameters
    ----------
    records : iterable of dict
        From the line ``backup`` to the last one before ``end``.
    stream : binary stream
        Stays open.
    """
    from auditor.core.zstd import writing, zstd

    digest = hashlib.sha256()
    lines = 0
    with zstd.ZstdFile(stream, "wb", options=writing(_LEVEL)) as out:
        for record in records:
            line = json.dumps(record, ensure_ascii=False, separators=(",", ":"), default=_as_base64).encode() + b"\n"
            digest.update(line)
            out.write(line)
            lines += 1
        end = {"kind": "end", "lines": lines, "sha256": digest.hexdigest()}
        out.write(json.dumps(end).encode() + b"\n")
    return digest.hexdigest()


def read_records(path: Path) -> Iterator[Record]:
    """Yield the records of a backup, the first and the last line included.

    Raises
    ------
    BadFile
        If the file cannot be read as one; what was yielded before may be damaged, too.
    """
    for number, line in enumerate(_lines(path), start=1):
        try:
            record = json.loads(line, object_hook=_from_base64)
        except ValueError:
            raise BadFile(f"{path}, line {number}: not a backup, or a damaged one") from None
        if not isinstance(record, dict) or "kind" not in record:
            raise BadFile(f"{path}, line {number}: not a backup, or a damaged one")
        yield record


def check_backup(path: Path) -> tuple[Record, str]:
    """Return the first line of a backup that is whole, and the SHA-256 of its text.

    Raises
    ------
    BadFile
        If the file is no backup, is damaged or cut, or was written by a newer version.
    """
    digest = hashlib.sha256()
    first, last = b"", b""
    lines = -1
    for line in _lines(path):
        if last:
            digest.update(last)
        first, last = first or line, line
        lines += 1
    header, end = _record(first), _record(last)
    if header.get("kind") != "backup":
        raise BadFile(f"{path} is not a backup of a store")
    if header.get("version") != FORMAT_VERSION:
        raise BadFile(f"{path} has version {header.get('version')} of the format; install a newer version to read it")
    if end != {"kind": "end", "lines": lines, "sha256": digest.hexdigest()}:
        raise BadFile(f"{path} is damaged or was cut off; take another backup")
    return header, digest.hexdigest()


def _lines(path: Path) -> Iterator[bytes]:
    from auditor.core.zstd import zstd

    try:
        with path.open("rb") as stream, zstd.ZstdFile(stream) as text:
            rest = b""
            while block := _block(text):
                *lines, rest = (rest + block).split(b"\n")
                for line in lines:
                    yield line + b"\n"
                if len(rest) > _LONGEST_LINE:
                    raise BadFile(f"{path} is not a backup, or a damaged one")
            if rest:
                yield rest
    except zstd.ZstdError:
        raise BadFile(f"{path} is not a backup of a store, or a damaged one") from None
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or 'I/O error'}") from error


def _block(text: zstd.ZstdFile) -> bytes:
    try:
        return text.read1(1 << 20)
    except EOFError:
        # that the end is missing, the last line tells
        return b""


def _record(line: bytes) -> Record:
    try:
        record = json.loads(line)
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}


def _as_base64(value: object) -> dict[str, str]:
    if not isinstance(value, bytes | bytearray):
        raise TypeError(f"{type(value).__name__} in a backup")
    return {"base64": base64.b64encode(value).decode("ascii")}


def _from_base64(value: dict[str, Any]) -> Any:
    return base64.b64decode(value["base64"]) if value.keys() == {"base64"} else value
