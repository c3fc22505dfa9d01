// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks up users and groups in the files only: the loader is static, and the other sources of the C
 * library (LDAP, systemd-userdb) are shared libraries that may not match it.
 */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "fill/ids.h"
#include "object/object.h"
#include "output/log.h"

static bool find_user(FILE *file, const char *name, uint32_t *id)
{
	for (const struct passwd *user; (user = fgetpwent(file));) {
		if (strcmp(user->pw_name, name))
			continue;
		*id = user->pw_uid;
		return true;
	}
	return false;
}

static bool find_group(FILE *file, const char *name, uint32_t *id)
{
	for (const struct group *group; (group = fgetgrent(file));) {
		if (strcmp(group->gr_name, name))
			continue;
		*id = group->gr_gid;
		return true;
	}
	return false;
}

int ids_find(const char *root, bool is_group, const char *name, uint32_t *id)
{
	char path[256];
	bool found;
	FILE *file;

	snprintf(path, sizeof(path), "%s/etc/%s", root, is_group ? "group" : "passwd");
	file = fopen(path, "re");
	if (!file)
		return -errno;
	found = is_group ? find_group(file, name, id) : find_user(file, name, id);
	fclose(file);
	return found ? 0 : -ENOENT;
}

int ids_fill(struct object *object)
{
	struct variable names, ids;

	if (!object->policy.nr_ids)
		return 0;
	/* Both exist: object_open() checked them. */
	object_find(object, object->rodata, "policy_id_names", &names);
	object_find(object, object->rodata, "policy_ids", &ids);
	for (unsigned int i = 0; i < object->policy.nr_ids; i++) {
		const struct gthulhu_id *wanted = (const struct gthulhu_id *)names.data + i;
		const char *what = wanted->is_group ? "group" : "user";
		uint32_t *id = (uint32_t *)ids.data + i;

		if (ids_find("", wanted->is_group, wanted->name, id))
			return log_error(ENOENT, "create it, or give its number in the policy",
					 "%s:%u: %s `%s` is not in %s", object->policy.file,
					 wanted->line, what, wanted->name,
					 wanted->is_group ? "/etc/group" : "/etc/passwd");
		log_verbose("%s `%s` is %u", what, wanted->name, *id);
	}
	return 0;
}
