/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The compiler includes this before a scheduler on a machine with costs: each branch in the C text
 * tells the model that it is reached. Compilers agree on the text; they divide it into different
 * basic blocks.
 */
#ifndef BRANCH_H
#define BRANCH_H

void host_branch(void);

#define if(...) if ((host_branch(), (__VA_ARGS__)))
#define while(...) while ((host_branch(), (__VA_ARGS__)))
#define switch(...) switch ((host_branch(), (__VA_ARGS__)))
/* Each round is a branch. An `else` that follows the loop is not this one's. */
#define for(...)                                                                                   \
	for (__VA_ARGS__)                                                                          \
		if (0) {                                                                           \
		} else

#endif /* BRANCH_H */
