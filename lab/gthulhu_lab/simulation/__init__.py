# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Generated schedulers as ordinary programs, on the model of the kernel in `sim/`."""
