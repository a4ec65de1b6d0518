"""Records: what singles people out, and versions in which every record shares its values with others."""

from graphkit.doors import open_door

# numba and SciPy take long to import: names are looked up when first used
__all__, __getattr__, __dir__ = open_door(__name__, timed=("generalize", "microaggregate", "release"))
