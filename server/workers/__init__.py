"""Worker processes: the rules of tables that are played, beside the process of the server."""
