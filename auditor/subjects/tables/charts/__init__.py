"""Pictures of tables: intervals of cells, the lattice of marginals."""
