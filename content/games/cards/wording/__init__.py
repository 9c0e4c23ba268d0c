"""The rules texts of cards, written from their data in each language. C-DECIDE-65."""
