"""What a client knows of the tables that it follows, and how their records are told."""
