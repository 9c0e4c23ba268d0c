"""What all screens and boxes share, and the boxes that belong to no subject."""
