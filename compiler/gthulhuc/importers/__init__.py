# SPDX-License-Identifier: Apache-2.0
"""Convert the configurations of other tools to policies, and report what got lost."""
