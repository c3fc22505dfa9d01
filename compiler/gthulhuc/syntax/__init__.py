# SPDX-License-Identifier: Apache-2.0
"""Parses text into an AST with spans. ANTLR's types stay inside this package."""
