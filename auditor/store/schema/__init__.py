"""The schema of the store: what it holds, its constraints, and how older stores are migrated."""
