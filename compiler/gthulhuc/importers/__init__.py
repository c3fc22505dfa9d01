# SPDX-License-Identifier: Apache-2.0
"""From the configurations of others to policies: what they meant, and what got lost."""
