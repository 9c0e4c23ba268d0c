"""Tables of small games, and rooms that are driven by hand."""
