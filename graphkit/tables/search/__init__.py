"""All tables with given marginals, counted and listed."""
