"""Graphs as the engines see them, and their ways in and out."""
