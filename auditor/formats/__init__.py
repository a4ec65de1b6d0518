"""Network files in and out: one format a module, loaded when it is used."""

from auditor.formats.companion import companion_path
from auditor.formats.network import LoadedNetwork, ReadNotes
from auditor.formats.reading import read_network
from auditor.formats.registry import FormatInfo, known_formats
from auditor.formats.writing import check_format, may_have_companion, needs_companion, write_network

__all__ = [
    "FormatInfo",
    "LoadedNetwork",
    "ReadNotes",
    "check_format",
    "companion_path",
    "known_formats",
    "may_have_companion",
    "needs_companion",
    "read_network",
    "write_network",
]
