"""Speed: dynamic and static steps in turn, in fresh processes of the kit's own training."""
