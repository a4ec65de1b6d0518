"""Zstandard as Python has it from 3.14 on; before, from its backport."""

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import CompressionParameter
    from compression.zstd import DecompressionParameter as DecompressionParameter
    from compression.zstd import ZstdDecompressor as ZstdDecompressor
    from compression.zstd import ZstdError as ZstdError
    from compression.zstd import ZstdFile as ZstdFile
else:
    from backports.zstd import CompressionParameter
    from backports.zstd import DecompressionParameter as DecompressionParameter
    from backports.zstd import ZstdDecompressor as ZstdDecompressor
    from backports.zstd import ZstdError as ZstdError
    from backports.zstd import ZstdFile as ZstdFile


def writing(level: int) -> dict[int, int]:
    """Return the options of a file that is written: with a checksum, so that damage is found."""
    return {CompressionParameter.compression_level: level, CompressionParameter.checksum_flag: 1}
