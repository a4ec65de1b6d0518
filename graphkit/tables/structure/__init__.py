"""Tables, marginals and their structure: hypergraphs, lattices, closed forms."""
