# SPDX-License-Identifier: Apache-2.0
"""The checks that turn the AST into the checked policy; `pipeline` defines their order.

`reading` and `reasoning` have what several passes share.
"""
