"""The journal: the events of a table in lines that people read and can save."""
