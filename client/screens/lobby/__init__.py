"""The list of tables, the opening of a table, and the search for finished games."""
