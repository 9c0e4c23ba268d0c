"""How files of a pack are read, whatever game they are for."""
