"""The methods of the paper: k rounds, each a perfect matching of recoded tuples and records."""
