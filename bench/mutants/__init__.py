"""Mutation testing: the small changes of a module that its tests do not notice."""
