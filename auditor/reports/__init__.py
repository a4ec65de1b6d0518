"""Reports: what pages and pictures about any kind of subject share."""
