"""Twin games: those who may not know the secrets of two games cannot tell them apart."""
