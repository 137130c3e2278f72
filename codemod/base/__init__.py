"""What every room uses: errors, the change set, the workspace, careful reading and writing."""
