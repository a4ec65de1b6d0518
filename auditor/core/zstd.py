"""Zstandard as Python has it from 3.14 on; before, from its backport."""

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import CompressionParameter, DecompressionParameter, ZstdDecompressor, ZstdError, ZstdFile
else:
    from backports.zstd import CompressionParameter, DecompressionParameter, ZstdDecompressor, ZstdError, ZstdFile

__all__ = ["DecompressionParameter", "ZstdDecompressor", "ZstdError", "ZstdFile", "writing"]


def writing(level: int) -> dict[int, int]:
    """Return the options of a file that is written: with a checksum, so that damage is found."""
    return {CompressionParameter.compression_level: level, CompressionParameter.checksum_flag: 1}
