# SPDX-License-Identifier: Apache-2.0
"""How passes read one value or one comparison: words, numbers, strings, CPUs."""
