"""Columns that are aggregated: which ones and how, as numbers for the engines, and as values of their types again."""
