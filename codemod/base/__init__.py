"""What every room stands on: errors, the change set, the workspace, careful reading and writing."""
