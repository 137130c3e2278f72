"""Whether two trainings of many epochs come to the same."""
