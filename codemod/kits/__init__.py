"""The kits: the catalogue, the folder of each, and how its configs are found and read."""
