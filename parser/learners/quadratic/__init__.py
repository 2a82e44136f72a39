"""Support vector machines of the quadratic kernel: by the kernel, or with its pairs of features spelled out."""
