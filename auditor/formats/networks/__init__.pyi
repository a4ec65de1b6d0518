"""What the package offers: each name, and the module that it is imported from when it is first used."""

from auditor.formats.networks.companion import companion_path as companion_path
from auditor.formats.networks.loaded import LoadedNetwork as LoadedNetwork
from auditor.formats.networks.loaded import ReadNotes as ReadNotes
from auditor.formats.networks.reading import read_network as read_network
from auditor.formats.networks.registry import FormatInfo as FormatInfo
from auditor.formats.networks.registry import known_formats as known_formats
from auditor.formats.networks.writing import check_format as check_format
from auditor.formats.networks.writing import may_have_companion as may_have_companion
from auditor.formats.networks.writing import write_network as write_network
