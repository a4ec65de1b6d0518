"""Coverings with k matchings under each of which every original sees diverse sensitive values."""
