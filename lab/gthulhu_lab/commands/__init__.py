# SPDX-License-Identifier: Apache-2.0
"""The commands of the lab and their options; what carries them out is imported when they run."""
