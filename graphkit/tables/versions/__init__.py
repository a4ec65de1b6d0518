"""Variables of several versions of a table, and marginals translated between them."""
