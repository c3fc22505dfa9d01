# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""`gthulhu replay`: what a recorded node would do under a policy, on the host model."""
