"""What proves that Manse works."""
