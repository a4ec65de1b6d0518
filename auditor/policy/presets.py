"""Policies to begin with. No number in them is without a source; what has none keeps its default."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from auditor.core.errors import PolicyError
from auditor.policy.keys import nearest


@dataclass(frozen=True, slots=True)
class Choice:
    """The value of one key."""

    value: Any
    reason: str
    sources: tuple[str, ...]
    """Keys of :data:`auditor.policy.sources.SOURCES`."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A policy to begin with."""

    name: str
    purpose: str
    practice: str
    """Where others do otherwise."""
    choices: Mapping[str, Choice]
    """By key, such as ``table.threshold``."""

    def values(self) -> dict[str, dict[str, Any]]:
        """Return the keys that the preset sets, by section, as a policy file would hold them.

        Examples
        --------
        >>> PRESETS["internal"].values()["table"]
        {'threshold': 3, 'min_width': 4}
        """
        found: dict[str, dict[str, Any]] = {}
        for key, choice in self.choices.items():
            section, name = key.split(".")
            found.setdefault(section, {})[name] = choice.value
        return found


_CELL_IS_BLOCK = "; a block of vertices of one degree is taken for a cell, since no source names a k for networks"
_FOUR_EYES = Choice(
    "second-person", "good practice for outputs of research environments are four eyes", ("output-checking",)
)

_INTERNAL = Preset(
    "internal",
    "for colleagues within the same organization, who are bound by its rules",
    "Three is the smallest size among the sources: the rules of the Australian Bureau of Statistics and of UK LLC for"
    " what leaves a research environment would refuse much of what this lets out. Its k is below the program's "
    "default of 5.",
    {
        "network.k": Choice(3, f"some custodians use a cell size of three{_CELL_IS_BLOCK}", ("el-emam-2013",)),
        "microdata.k": Choice(3, "some custodians use a cell size of three", ("el-emam-2013",)),
        "table.threshold": Choice(
            3, "some agencies require three respondents in a cell", ("oecd-threshold", "el-emam-2013")
        ),
        "table.min_width": Choice(
            4, "random rounding to base 3 leaves a count open between two below and two above", ("stats-nz-rounding",)
        ),
    },
)
_RESEARCH = Preset(
    "research",
    "for approved researchers under an agreement, who do not pass it on",
    "No source ties five to researchers: it is the historical rule for health data, and between the other two. What "
    "researchers then publish is another matter: the environments of the Australian Bureau of Statistics and of UK "
    "LLC ask for ten there, the ONS as one part of a judgement; the preset public asks for eleven.",
    {
        "network.k": Choice(5, f"five is the historical rule for cells{_CELL_IS_BLOCK}", ("el-emam-2013",)),
        "microdata.k": Choice(5, "five is the historical rule for cells", ("el-emam-2013",)),
        "table.threshold": Choice(
            5, "some agencies require five respondents in a cell", ("oecd-threshold", "el-emam-2013")
        ),
        "table.min_width": Choice(
            4, "rounding to the nearest 5 leaves a count open between two below and two above", ("oecd-rounding",)
        ),
        "exports.approval": _FOUR_EYES,
        "exports.marginal_approval": _FOUR_EYES,
    },
)
_PUBLIC = Preset(
    "public",
    "for the public: anyone can keep it for ever and combine it with other data",
    "Ten is in use beside eleven (a count of ten may be shown by the rule of 10 of the Australian Bureau of "
    "Statistics, not by that of CMS); Ontario's guidelines go from 11 to 20 by how delicate the data are, and files "
    "for the public in Canada and the United States have used 20. Some rules also hide zeros (UK LLC), which this "
    "program does not.",
    {
        "network.k": Choice(
            11,
            f"a cell size of eleven was used for public release in the United States{_CELL_IS_BLOCK}",
            ("el-emam-2013", "ipc-ontario-2025"),
        ),
        "microdata.k": Choice(
            11,
            "a cell size of eleven was used for public release in the United States; ACRO takes ten for outputs",
            ("el-emam-2013", "ipc-ontario-2025", "acro"),
        ),
        "microdata.forbid_identifiers": Choice(
            True, "all direct identifiers are removed from a file for the public", ("hipaa-safe-harbor", "eurostat-puf")
        ),
        "microdata.min_unit_population": Choice(
            20_001,
            "the first three digits of a ZIP code may stay where more than 20 000 people live; other units are not "
            "named by the source, and this takes them for as delicate",
            ("hipaa-safe-harbor",),
        ),
        "table.threshold": Choice(
            11, "no count from 1 to 10 may be shown or derived", ("cms-cell-size", "el-emam-2013", "ipc-ontario-2025")
        ),
        "table.min_width": Choice(
            8, "random rounding to base 5 leaves a count open between four below and four above", ("statcan-rounding",)
        ),
        "table.group_disclosure": Choice(
            True,
            "frequency tables are checked for group disclosure as well; set it to false where zeros are common "
            "knowledge",
            ("abs-datalab",),
        ),
        "exports.approval": _FOUR_EYES,
        "exports.marginal_approval": _FOUR_EYES,
    },
)

PRESETS: Mapping[str, Preset] = {preset.name: preset for preset in (_INTERNAL, _RESEARCH, _PUBLIC)}
"""From the least to the most strict; each key that one sets is at least as strict in the next."""


def preset_named(name: object) -> Preset:
    """Return a preset.

    Raises
    ------
    PolicyError
        If there is none of that name.
    """
    if not isinstance(name, str):
        raise PolicyError(f"preset must be one of {', '.join(PRESETS)}, in quotes")
    if name not in PRESETS:
        raise PolicyError(f"there is no preset {name!r}; {nearest(name, PRESETS)}")
    return PRESETS[name]
