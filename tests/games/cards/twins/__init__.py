"""Twin games of the card game: whoever may not know a secret cannot tell two games apart."""
