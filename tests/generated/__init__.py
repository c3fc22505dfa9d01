# SPDX-License-Identifier: Apache-2.0
"""Made by ANTLR from grammar/Gpl.g4; see gthulhuc.syntax.regenerate."""
