"""What the lobby does with products and campaigns of the second edition."""
