"""The author's tools: check, draw and play packs that nobody has vouched for."""
