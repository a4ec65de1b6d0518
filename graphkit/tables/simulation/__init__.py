"""Tables with given marginals, drawn at random."""
