"""The private Neo4j that the auditor brings and runs itself: no Docker, no Java, no rights on the machine needed."""

from graphkit.doors import open_door

__all__, __getattr__, __dir__ = open_door(__name__)
