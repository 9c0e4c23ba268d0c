"""The tutorial: lessons, and the coach who gives them."""
