"""What any scenario language needs, whatever game it is for; games bring classes and words."""
