"""Twin games: a viewer who may not know the secrets cannot tell two games apart."""
