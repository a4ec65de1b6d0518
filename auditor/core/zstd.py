"""Zstandard as Python has it from 3.14 on; before, from its backport."""

import sys

if sys.version_info >= (3, 14):
    from compression import zstd as zstd
else:
    from backports import zstd as zstd


def writing(level: int) -> dict[int, int]:
    """Return the options of a file that is written: with a checksum, so that damage is found."""
    return {zstd.CompressionParameter.compression_level: level, zstd.CompressionParameter.checksum_flag: 1}
