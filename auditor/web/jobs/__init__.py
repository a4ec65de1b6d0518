"""Long work: each job in a process of its own, so that pages stay quick and a cancel ends it at once."""
