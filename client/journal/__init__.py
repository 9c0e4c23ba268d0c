"""The journal: the events of a table in lines that people read and may keep."""
