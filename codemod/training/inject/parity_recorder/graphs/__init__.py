"""What was really static: programs, their operators, mixed precision, and time to compile."""
