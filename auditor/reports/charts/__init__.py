"""Charts of a report: inline SVG that takes its colours from the page, each with the data it shows."""
