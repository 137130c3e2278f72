"""Where a kit trains: environments with Paddle, devices, cards."""
