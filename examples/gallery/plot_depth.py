"""
Decision regions by depth
=========================

A single tree cuts the plane into rectangles. The deeper the tree, the more of them.
"""

import matplotlib.pyplot as plt
import numpy as np

plt.plot(np.arange(10))
plt.show()
