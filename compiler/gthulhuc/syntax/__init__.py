# SPDX-License-Identifier: Apache-2.0
"""From text to an AST with spans. The types of ANTLR stay in here."""
