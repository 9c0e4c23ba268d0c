"""The second edition's pieces, and how each event moves them. No rules: see the server for those."""
