"""Effect of the rate, distance and depth of crossing arcs, on generated treebanks."""
