"""Tables with merged categories: recoded marginals, tables with hierarchical variables."""
