"""The table of the second edition, and how each event moves them. The rules are the server's."""
