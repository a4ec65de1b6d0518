"""What a release of records keeps, and what it tells of the original: one measure a file."""

from graphkit.doors import open_door

__all__, __getattr__, __dir__ = open_door(__name__)
