"""The ledger: its chain, its kinds of entries, checkpoints and keys, and what verifies it without the store."""
