/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a policy object and its loader agree on. Included by both: by generated
 * BPF C and by runtime/.
 *
 * Beside the structures below, the loader knows these names in an object:
 *
 *   kernel_NAME        u64 in .rodata: set to the value of the enumerator NAME
 *                      of the running kernel's BTF, 0 where it has none
 *   ops_flag_NAME      the same, and or-ed into the flags of the struct_ops
 *   nr_cpus            u32 in .rodata: set to the number of possible CPUs
 *   .data.cpus         an array with one element, alone in its section, resized
 *                      to nr_cpus elements
 *   percpu_NAME        a map that gets nr_cpus entries
 *   policy             struct gthulhu_policy in .rodata
 *   policy_pins        struct gthulhu_pin[] in .rodata
 *   exit_report        struct gthulhu_exit in .data.exit, filled by ops.exit,
 *                      its kind last
 *   gthulhu            the struct_ops map (.struct_ops.link); members that the
 *                      running kernel does not have are cleared, and
 *                      hotplug_seq is set
 *
 * All other programs that libbpf can attach by their section's name are
 * attached before the scheduler is enabled; SEC("?...") says not to. An object
 * with a function in .ksyms whose description in the kernel's BTF is malformed
 * is refused.
 *
 *   .gthulhu           an ELF section with the policy's metadata as JSON; for
 *                      `gthulhu inspect`, the loader does not read it
 */
#ifndef GTHULHU_ABI_H
#define GTHULHU_ABI_H

#define GTHULHU_ABI_VERSION 1

enum gthulhu_limits {
	GTHULHU_NAME_LEN = 64,
	GTHULHU_FILE_LEN = 128,
	GTHULHU_EXIT_REASON_LEN = 128,
	GTHULHU_EXIT_MSG_LEN = 1024,
	GTHULHU_EXIT_DUMP_LEN = 32768,
};

/* Who the object is and what it needs, checked before it is loaded. */
struct gthulhu_policy {
	unsigned int abi_version; /* GTHULHU_ABI_VERSION */
	unsigned int kernel_min; /* major << 16 | minor << 8, 0: no wish */
	unsigned int nr_pins; /* elements of policy_pins that count */
	unsigned int pad;
	char name[GTHULHU_NAME_LEN];
	char file[GTHULHU_FILE_LEN]; /* base name of the source */
};

/* A rule that names CPUs: at least one of them must be online. */
struct gthulhu_pin {
	unsigned int line; /* of `cpus` in the source */
	unsigned int nr_words;
	char rule[GTHULHU_NAME_LEN];
	unsigned long long cpus[16]; /* bitmap, CPU 0 is bit 0 of word 0 */
};

/* Why the kernel let the scheduler go: the fields of struct scx_exit_info. */
struct gthulhu_exit {
	int kind; /* enum scx_exit_kind; 0 while the scheduler is in force */
	int pad;
	long long exit_code;
	char reason[GTHULHU_EXIT_REASON_LEN];
	char msg[GTHULHU_EXIT_MSG_LEN];
	char dump[GTHULHU_EXIT_DUMP_LEN];
};

#endif /* GTHULHU_ABI_H */
