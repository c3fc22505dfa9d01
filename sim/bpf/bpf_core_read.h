/* SPDX-License-Identifier: GPL-2.0-only */
/* libbpf's header of this name, for the host: the structures are those of kernel.bpf.h itself. */
#define bpf_core_field_exists(field)                                                               \
	(__builtin_strstr(#field, "bw_quota_us") != 0 ? host_has("bw_quota_us")                    \
		 : __builtin_strstr(#field, "cgroup_set_idle") != 0                                \
		 ? host_has("cgroup_set_idle")                                                     \
		 : __builtin_strstr(#field, "rcu_read_lock_nesting") != 0 ||                       \
			 __builtin_strstr(#field, "cgroup") != 0)
#define bpf_core_enum_value(type, value) ((u64)value)
#define bpf_core_field_offset(type, field) __builtin_offsetof(type, field)
