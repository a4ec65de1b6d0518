"""Categorical variables and what merges their categories: groupings, and hierarchies of them, for every family."""
