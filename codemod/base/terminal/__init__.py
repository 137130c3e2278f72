"""What a user is told while a command works."""
