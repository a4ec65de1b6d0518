"""Pictures of records, of their risk and of what a release keeps."""
