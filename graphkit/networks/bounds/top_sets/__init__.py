"""Parts of the top-set bound; see :mod:`graphkit.networks.bounds.top_set`."""
