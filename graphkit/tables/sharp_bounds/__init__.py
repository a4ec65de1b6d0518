"""Sharp bounds of cells: proofs on one side, tables that attain them on the other."""
