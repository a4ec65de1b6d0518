"""The default method: what assignments give, improved by exchanges between recoded tuples."""
