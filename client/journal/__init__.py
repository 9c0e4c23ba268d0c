"""The journal: what happened at a table, in lines that people read and may keep."""
