"""Networks as a kind of subject."""
