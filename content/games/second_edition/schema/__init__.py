"""What a pack can say, as attrs classes. The loader types YAML by them; rules read them."""
