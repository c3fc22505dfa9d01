/* SPDX-License-Identifier: GPL-2.0-only */
/* Labels of cgroups and tasks, as the loader knows them. */
#ifndef LABELS_H
#define LABELS_H

#include "machine.h"

struct questions;

/* Each time that a scheduler is loaded. The maps: label_sets and process_labels. */
void fill_labels(const struct questions *questions, void *label_sets, void *process_labels);
void forget_labels(void);

#endif /* LABELS_H */
