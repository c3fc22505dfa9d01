// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of what needs neither a kernel nor a whole object; `make check`.
 * The rest is tested from outside, in tests/unit and tests/vm.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>

#include "kbtf.h"
#include "kernel.h"
#include "log.h"
#include "report.h"

static int failures;

#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);    \
			failures++;                                                                \
		}                                                                                  \
	} while (0)

static void test_cpu_lists(void)
{
	struct cpu_list cpus;
	char text[64];

	EXPECT(cpu_list_parse("0-3,5\n", &cpus));
	EXPECT(cpus.nr_cpus == 5 && cpus.words[0] == 0x2f);
	cpu_list_format(cpus.words, 16, text, sizeof(text));
	EXPECT(!strcmp(text, "0-3,5"));

	EXPECT(cpu_list_parse("63-64", &cpus));
	EXPECT(cpus.words[0] == 1ULL << 63 && cpus.words[1] == 1);
	cpu_list_format(cpus.words, 16, text, sizeof(text));
	EXPECT(!strcmp(text, "63-64"));

	/* More than the bitmap holds are counted all the same. */
	EXPECT(cpu_list_parse("1020-1027", &cpus) && cpus.nr_cpus == 8);

	EXPECT(cpu_list_parse("", &cpus) && cpus.nr_cpus == 0);
	EXPECT(!cpu_list_parse("3-1", &cpus));
	EXPECT(!cpu_list_parse("a", &cpus));
	EXPECT(!cpu_list_parse("1;2", &cpus));
	EXPECT(!cpu_list_parse("-", &cpus));

	/* What does not fit is cut off between two numbers. */
	EXPECT(cpu_list_parse("1,3,5,7", &cpus));
	cpu_list_format(cpus.words, 16, text, 5);
	EXPECT(!strcmp(text, "1,3"));
}

static uint64_t constant(const struct btf *kernel, const char *name, bool *found)
{
	struct kbtf_constant wanted = { .name = name };

	kbtf_find_constants(kernel, &wanted, 1);
	*found = wanted.found;
	return wanted.value;
}

static void test_constants(void)
{
	struct btf *btf = btf__new_empty();
	bool found;

	btf__add_enum64(btf, "scx_dsq_id_flags", 8, false);
	btf__add_enum64_value(btf, "SCX_DSQ_LOCAL", 1ULL << 63 | 2);
	/* An old pahole cuts wide constants off. */
	btf__add_enum(btf, "scx_enq_flags", 4);
	btf__add_enum_value(btf, "SCX_ENQ_PREEMPT", 0);
	btf__add_enum_value(btf, "SCX_ENQ_WAKEUP", 1);
	btf__add_enum(btf, "scx_public_consts", 4);
	btf__add_enum_value(btf, "SCX_SLICE_INF", (uint32_t)-1);
	btf__add_enum_value(btf, "SCX_DSQ_GLOBAL", 1);
	/* This one was cut off from something that we do not know. */
	btf__add_enum_value(btf, "SCX_ENQ_LAST", 77);

	EXPECT(constant(btf, "SCX_DSQ_LOCAL", &found) == (1ULL << 63 | 2) && found);
	EXPECT(constant(btf, "SCX_ENQ_PREEMPT", &found) == 1ULL << 32 && found);
	EXPECT(constant(btf, "SCX_ENQ_WAKEUP", &found) == 1 && found);
	EXPECT(constant(btf, "SCX_SLICE_INF", &found) == UINT64_MAX && found);
	EXPECT(constant(btf, "SCX_DSQ_GLOBAL", &found) == (1ULL << 63 | 1) && found);
	EXPECT(constant(btf, "SCX_ENQ_LAST", &found) == 77 && found);
	EXPECT(constant(btf, "SCX_ENQ_PREEMPT_NOT", &found) == 0 && !found);
	btf__free(btf);
}

static void add_function(struct btf *btf, const char *name, const char *last, int last_type)
{
	int number = btf__find_by_name(btf, "int");
	int proto = btf__add_func_proto(btf, number);

	btf__add_func_param(btf, "first", number);
	if (last)
		btf__add_func_param(btf, last, last_type);
	btf__add_func(btf, name, BTF_FUNC_STATIC, proto);
}

/* A kernel's BTF; *aux becomes the type of a pointer to a const bpf_prog_aux. */
static struct btf *empty_kernel(int *aux)
{
	struct btf *btf = btf__new_empty();

	btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	*aux = btf__add_ptr(btf, btf__add_const(btf, btf__add_struct(btf, "bpf_prog_aux", 8)));
	return btf;
}

static struct btf *object_that_calls(const char *name)
{
	struct btf *btf = btf__new_empty();

	btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	add_function(btf, name, NULL, 0);
	return btf;
}

static enum kbtf_fault fault_of(const struct btf *kernel, const char *function)
{
	struct btf *object = object_that_calls(function);
	enum kbtf_fault fault;
	const char *name;

	fault = kbtf_check_functions(kernel, object, &name);
	if (fault != KBTF_FINE)
		EXPECT(!strcmp(name, function));
	btf__free(object);
	return fault;
}

static void test_functions(void)
{
	int aux;
	struct btf *kernel = empty_kernel(&aux);

	add_function(kernel, "scx_bpf_sound", NULL, 0);
	add_function(kernel, "scx_bpf_sound_impl", "aux", aux);
	add_function(kernel, "scx_bpf_bare", "aux", aux);
	add_function(kernel, "scx_bpf_number", "aux", 1);
	add_function(kernel, "scx_bpf_half_impl", "aux", aux);
	add_function(kernel, "scx_bpf_two___v2", "aux", aux);
	add_function(kernel, "scx_bpf_two", NULL, 0);

	EXPECT(fault_of(kernel, "scx_bpf_sound") == KBTF_FINE);
	EXPECT(fault_of(kernel, "scx_bpf_bare") == KBTF_HIDDEN_ARGUMENT);
	EXPECT(fault_of(kernel, "scx_bpf_bare___compat") == KBTF_HIDDEN_ARGUMENT);
	EXPECT(fault_of(kernel, "scx_bpf_number") == KBTF_FINE);
	EXPECT(fault_of(kernel, "scx_bpf_half") == KBTF_NO_PUBLIC_FORM);
	EXPECT(fault_of(kernel, "scx_bpf_two") == KBTF_FINE);
	EXPECT(fault_of(kernel, "scx_bpf_two___v2___compat") == KBTF_HIDDEN_ARGUMENT);
	EXPECT(fault_of(kernel, "scx_bpf_absent") == KBTF_FINE);
	btf__free(kernel);
}

static void test_reports(void)
{
	struct gthulhu_exit *report = calloc(1, sizeof(*report));
	char text[1280];

	EXPECT(report_ending(report) == ENDING_NONE);
	report->kind = 64;
	EXPECT(report_ending(report) == ENDING_STOPPED);
	report->kind = 66;
	EXPECT(report_ending(report) == ENDING_LET_GO);
	report->exit_code = 1LL << 48 | 1LL << 32;
	EXPECT(report_ending(report) == ENDING_RESTART);
	report->kind = 1026;
	EXPECT(report_ending(report) == ENDING_ERROR);

	report_format(report, text, sizeof(text));
	EXPECT(!strcmp(text, "exit kind 1026"));
	strcpy(report->reason, "runnable task stall\n");
	report_format(report, text, sizeof(text));
	EXPECT(!strcmp(text, "runnable task stall"));
	strcpy(report->msg, "a\033[2J\tb\n\n");
	report_format(report, text, sizeof(text));
	EXPECT(!strcmp(text, "runnable task stall (a?[2J b)"));

	/* Nothing in it is trusted to end. */
	memset(report, 'x', sizeof(*report));
	report_format(report, text, sizeof(text));
	EXPECT(strlen(text) < sizeof(text));
	free(report);
}

int main(void)
{
	log_init(LOG_NORMAL);
	test_cpu_lists();
	test_constants();
	test_functions();
	test_reports();
	if (!failures)
		puts("runtime: unit tests passed");
	return failures ? 1 : 0;
}
