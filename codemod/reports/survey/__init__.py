"""The survey: every model of every kit, whether it trains dynamic-to-static, and the evidence."""
