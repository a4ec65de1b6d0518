"""Microaggregation: groups of at least k similar records, each of which takes the mean of its group."""
