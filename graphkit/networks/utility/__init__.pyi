"""What the package offers: each name, and the module that it is imported from when it is first used."""

from graphkit.networks.utility.comparing import compare as compare
from graphkit.networks.utility.comparing import utility as utility
from graphkit.networks.utility.measure import Agreement as Agreement
from graphkit.networks.utility.measure import Change as Change
from graphkit.networks.utility.measure import Comparison as Comparison
from graphkit.networks.utility.measure import Distance as Distance
from graphkit.networks.utility.measure import Measure as Measure
from graphkit.networks.utility.measure import Utility as Utility
from graphkit.networks.utility.registry import ASPECTS as ASPECTS
from graphkit.networks.utility.registry import QUICK as QUICK
from graphkit.networks.utility.registry import choose_aspects as choose_aspects
