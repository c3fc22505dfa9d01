# SPDX-License-Identifier: Apache-2.0
"""Derived from grammar/Gpl.g4; see gthulhuc.syntax.regenerate."""
