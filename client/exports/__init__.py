"""A game that was, as others take it: a page for a browser, and records for programs."""
