"""Take the signatures out of jars, whose bytes were compared with a pinned checksum before.

The virtual machine checks the signatures of a jar anew at each start, file by file as they are read, and puts no class
of a signed jar into its archive: that is a fifth of the time in which a server starts, and proves nothing more.
"""

import re
import struct
import zipfile
from pathlib import Path

_SIGNATURE = re.compile(r"META-INF/[^/]+\.(SF|RSA|DSA|EC)", re.IGNORECASE)
_LOCAL_NAME, _CENTRAL_NAME = 30, 46
# lengths of name, extra field and comment in an entry of the central directory
_LENGTHS, _LENGTHS_AT = struct.Struct("<HHH"), 28


def remove_signatures(jar: Path) -> None:
    """Rename the signature files in a jar to names that mean nothing, in place; the size stays.

    Parameters
    ----------
    jar : Path
        A file that is no jar is left alone.

    Notes
    -----
    A name stands before the content and in the central directory at the end. Neither has a checksum of names.
    """
    if not zipfile.is_zipfile(jar):
        return
    with zipfile.ZipFile(jar) as archive:
        entries, at = archive.infolist(), archive.start_dir
    if not any(_SIGNATURE.fullmatch(entry.filename) for entry in entries):
        return
    content = bytearray(jar.read_bytes())
    for entry in entries:
        lengths = _LENGTHS.unpack_from(content, at + _LENGTHS_AT)
        if _SIGNATURE.fullmatch(entry.filename):
            for end in (at + _CENTRAL_NAME + lengths[0], entry.header_offset + _LOCAL_NAME + lengths[0]):
                content[end - 1] = ord("_")
        at += _CENTRAL_NAME + sum(lengths)
    jar.write_bytes(content)
