"""Text for a terminal: printable, wrapped, folded to ASCII, searched."""
