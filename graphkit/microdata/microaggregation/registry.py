"""The methods by name. A new method is one file, one line here, and the contract test runs it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from graphkit.arrays import Floats, Ints, Rng
from graphkit.microdata.microaggregation.column_generation.generating import column_generation
from graphkit.microdata.microaggregation.icsm.searching import icsm
from graphkit.microdata.microaggregation.mdav import mdav
from graphkit.microdata.microaggregation.parts import mdav_of_parts
from graphkit.microdata.microaggregation.search.searching import search
from graphkit.microdata.microaggregation.standing import Standing
from graphkit.microdata.microaggregation.tours.md import md_mhm
from graphkit.microdata.microaggregation.tours.mdav_mhm import mdav_mhm
from graphkit.microdata.microaggregation.tours.npn import npn_mhm
from graphkit.microdata.microaggregation.tours.tsp import tsp_mhm
from graphkit.microdata.microaggregation.univariate import univariate
from graphkit.microdata.microaggregation.v_mdav import v_mdav

First = Callable[[Floats, int], Ints]
"""``first(points, k)`` returns the group of every record; it needs at least 2k records."""

Improve = Callable[[Floats, int, Standing, Rng, int], None]
"""``improve(points, k, standing, rng, units)`` offers better partitions until its units of work are spent."""


@dataclass(frozen=True, slots=True)
class Method:
    """A way to find groups of at least k records."""

    name: str
    first: First
    summary: str
    reference: str
    improve: Improve | None = None
    """How what was found first is improved; None where the method is content with it."""
    proven_up_to: int = 0
    """Records up to which column generation then goes on for a proof: with so few it is soon there."""


METHODS: Mapping[str, Method] = MappingProxyType(
    {
        method.name: method
        for method in (
            Method(
                "search",
                mdav_of_parts,
                "annealing over exact moves between groups near each other, each record at temperatures of its scale",
                "of our own",
                search,
                proven_up_to=250,
            ),
            Method(
                "icsm",
                mdav,
                "comparison: exchanges, migrations and cyclic exchanges until none helps, from many first partitions",
                "Mortazavi, Jalili 2015",
                icsm,
            ),
            Method(
                "column-generation",
                mdav_of_parts,
                "the search, then a linear program over all groups, cuts and branches: a bound, and better partitions",
                "Gentile, Spagnolo-Arrizabalaga, Castro 2020",
                column_generation,
            ),
            Method(
                "mdav",
                mdav,
                "comparison: records far from the mean gather their nearest ones",
                "Domingo-Ferrer, Torra 2005",
            ),
            Method(
                "v-mdav",
                v_mdav,
                "comparison: groups of mdav take in further records that are near to them",
                "Solanas, Martínez-Ballesté 2006",
            ),
            Method(
                "npn-mhm",
                npn_mhm,
                "comparison: the best cuts of a tour from each record to the nearest one that is left",
                "Domingo-Ferrer, Martínez-Ballesté, Mateo-Sanz, Sebé 2006",
            ),
            Method(
                "mdav-mhm",
                mdav_mhm,
                "comparison: the best cuts of a tour through the groups of mdav",
                "Domingo-Ferrer, Martínez-Ballesté, Mateo-Sanz, Sebé 2006",
            ),
            Method(
                "md-mhm",
                md_mhm,
                "comparison: the best cuts of a tour through groups around records far from each other",
                "Domingo-Ferrer, Martínez-Ballesté, Mateo-Sanz, Sebé 2006",
            ),
            Method(
                "tsp-mhm",
                tsp_mhm,
                "comparison: the best cuts of a short tour",
                "Heaton, Mukherjee 2011",
            ),
            Method(
                "univariate",
                univariate,
                "the best partition of records with one attribute",
                "Hansen, Mukherjee 2003",
            ),
        )
    }
)
