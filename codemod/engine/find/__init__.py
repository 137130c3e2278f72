"""What trains, and which model it trains: by a rule's pattern, or without one by discovery."""
