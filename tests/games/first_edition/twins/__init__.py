"""Twin games of the first edition: whoever may not know a secret cannot tell two games apart."""
