"""How things are drawn: each widget is a function from state to a pane, and reads no keys."""
