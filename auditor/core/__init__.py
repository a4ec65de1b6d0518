"""What all parts share: subjects, findings, errors, the records that travel. Imports only the engines."""
