"""Laws of the toy: none beyond those of every game, which an audit states."""
