"""The table of the woods and its records."""
