"""Many epochs on real data, dynamic and static, by several seeds."""
