"""The second edition on screen and in lines."""
