"""The interface of screens and boxes, and boxes for any subject."""
