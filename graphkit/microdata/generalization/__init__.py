"""Freeform generalization: every record published so that it covers k originals, and is covered by k of them."""
