"""Every aspect by name, in the order of a page."""

from collections.abc import Sequence
from typing import Any

from graphkit.errors import InvalidInput
from graphkit.frames import check_names
from graphkit.networks.utility.aspect import Aspect
from graphkit.networks.utility.betweenness import BETWEENNESS
from graphkit.networks.utility.closeness import CLOSENESS
from graphkit.networks.utility.clustering import CLUSTERING
from graphkit.networks.utility.communities import COMMUNITIES
from graphkit.networks.utility.components import COMPONENTS
from graphkit.networks.utility.cores import CORES
from graphkit.networks.utility.degrees import DEGREES
from graphkit.networks.utility.paths import PATHS
from graphkit.networks.utility.spectrum import SPECTRUM

ASPECTS: dict[str, Aspect[Any]] = {
    "degrees": DEGREES,
    "clustering": CLUSTERING,
    "components": COMPONENTS,
    "paths": PATHS,
    "cores": CORES,
    "spectrum": SPECTRUM,
    "communities": COMMUNITIES,
    "closeness": CLOSENESS,
    "betweenness": BETWEENNESS,
}
QUICK = ("degrees", "clustering", "components", "paths", "cores")
"""Those that take a few seconds on a million edges."""


def choose_aspects(names: Sequence[str]) -> list[str]:
    """Return the names of aspects in the order of a page, each once.

    Raises
    ------
    InvalidInput
        If there is no aspect of a name.

    Examples
    --------
    >>> choose_aspects(["paths", "degrees", "paths"])
    ['degrees', 'paths']
    """
    check_names(names)
    unknown = [name for name in names if name not in ASPECTS]
    if unknown:
        raise InvalidInput(f"there is no aspect {unknown[0]!r}; choose among {', '.join(ASPECTS)}")
    return [name for name in ASPECTS if name in names]
