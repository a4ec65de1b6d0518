"""Methods of degree anonymization, one file each, and the registry of their names."""

from graphkit.networks.methods.registry import METHODS, Method

__all__ = ["METHODS", "Method"]
