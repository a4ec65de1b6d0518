"""Network files in and out: one format a module, loaded when it is used."""

from graphkit.doors import open_door

__all__, __getattr__, __dir__ = open_door(__name__)
