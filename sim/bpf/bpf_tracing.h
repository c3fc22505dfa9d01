/* SPDX-License-Identifier: GPL-2.0-only */
/* libbpf's header of this name, for the host: programs have their arguments as they are. */
#ifndef HOST_BPF_TRACING_H
#define HOST_BPF_TRACING_H

#define BPF_PROG(name, args...) name(args)

#endif /* HOST_BPF_TRACING_H */
