"""The contents of a pack, as attrs classes. The loader types YAML by them; rules read them."""
