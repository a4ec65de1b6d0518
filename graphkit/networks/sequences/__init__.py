"""Phase 1: k-anonymous degree sequences above a given one."""

from graphkit.doors import open_door

__all__, __getattr__, __dir__ = open_door(__name__)
