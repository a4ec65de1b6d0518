"""Records: versions in which every record shares its values with others, at little loss, with proven bounds."""

from graphkit.doors import open_door

# numba and SciPy take long to import: names are looked up when first used
__all__, __getattr__, __dir__ = open_door(__name__, timed=("microaggregate",))
