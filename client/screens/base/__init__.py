"""The contract of screens and boxes, and boxes of no particular subject."""
