"""Widgets: functions that draw some state on a pane, and read no keys."""
