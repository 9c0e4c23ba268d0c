"""What protocol knows of the first edition."""
