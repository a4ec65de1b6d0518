"""What an analyst would find in a graph, and how much of it a release keeps: one aspect a file."""

from graphkit.doors import open_door

__all__, __getattr__, __dir__ = open_door(__name__)
