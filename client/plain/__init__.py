"""Plain mode: the same game in lines of text."""
