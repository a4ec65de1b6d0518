"""Network files in and out: one format a module, loaded when it is used."""

from auditor.formats.networks.companion import companion_path
from auditor.formats.networks.loaded import LoadedNetwork, ReadNotes
from auditor.formats.networks.reading import read_network
from auditor.formats.networks.registry import FormatInfo, known_formats
from auditor.formats.networks.writing import check_format, may_have_companion, write_network

__all__ = [
    "FormatInfo",
    "LoadedNetwork",
    "ReadNotes",
    "check_format",
    "companion_path",
    "known_formats",
    "may_have_companion",
    "read_network",
    "write_network",
]
