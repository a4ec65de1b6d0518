"""Variables with merged categories: groupings, hierarchies, recoded tables."""
