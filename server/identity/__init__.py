"""Identity: the server's own key and certificate, and the invitations that it gives out."""
