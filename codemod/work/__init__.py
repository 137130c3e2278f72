"""The use cases, from a target to a result, whoever asks for it."""
