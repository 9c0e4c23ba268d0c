"""The list of tables, opening one, and finished games to be found."""
