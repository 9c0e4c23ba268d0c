"""The machinery of scenario languages; a game brings its classes and its words."""
