"""What happened in a period, for the officer who signs it off: read from the ledger, shown, written as signed files."""
