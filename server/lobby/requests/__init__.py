"""What a handler of messages is made of: the visitor who asks, and budgets."""
