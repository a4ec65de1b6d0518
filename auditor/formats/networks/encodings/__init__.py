"""Formats of network files, one a module."""
