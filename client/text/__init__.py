"""Strings as a terminal takes them: printable, wrapped, folded to ASCII, searched."""
