"""Support vector machines with a quadratic kernel, computed as a kernel or with explicit pairs of features."""
