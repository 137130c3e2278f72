"""What a training step holds: taken from Paddle, named, and told apart by digests."""
