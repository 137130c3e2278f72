"""The survey as people read it: pages, sheets, JSON, and what changed since another."""
