"""Networks in a graph database of the owner's: read, audited where they are, looked at again."""
