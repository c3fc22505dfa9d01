/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The compiler includes this before a scheduler on a machine with costs: each branch in the C text
 * tells the model that it is reached. Compilers agree on the text; they divide it into different
 * basic blocks.
 */
#ifndef BRANCH_H
#define BRANCH_H

void host_branch(void);
void host_branch_of_cells(void);
void host_branch_of_cgroups(void);

#define HOST_BEGINS(text, begin) !__builtin_strncmp(text, begin, sizeof(begin) - 1)

/* The verifier removes a branch that asks first for what this machine does not have. */
#define HOST_BRANCH(text)                                                                          \
	(HOST_BEGINS(text, "has_cells()") ? host_branch_of_cells()                                 \
		 : HOST_BEGINS(text, "has_groups()") || HOST_BEGINS(text, "has_limits()")          \
		 ? host_branch_of_cgroups()                                                        \
		 : host_branch())

#define if(...) if ((HOST_BRANCH(#__VA_ARGS__), (__VA_ARGS__)))
#define while(...) while ((HOST_BRANCH(#__VA_ARGS__), (__VA_ARGS__)))
#define switch(...) switch ((HOST_BRANCH(#__VA_ARGS__), (__VA_ARGS__)))
/* Each round is a branch. An `else` that follows the loop is not this one's. */
#define for(...)                                                                                   \
	for (__VA_ARGS__)                                                                          \
		if (0) {                                                                           \
		} else

#endif /* BRANCH_H */
