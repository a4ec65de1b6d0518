"""The terminal: a typer app, one file a command group, each loaded when it is used."""
