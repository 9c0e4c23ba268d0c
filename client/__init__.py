"""The terminal client: draws a table and offers the choices it was given. Knows no rules."""
