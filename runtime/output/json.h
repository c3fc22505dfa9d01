/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes one line of JSON; memory that runs out shows at its end. */
#ifndef GTHULHU_JSON_H
#define GTHULHU_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *file;
	char *text; /* what file writes to */
	size_t len;
	bool later; /* something stands before, in the same braces */
};

/* Opens an object, which json_end() closes. */
void json_begin(struct json *json);

/* The line with its newline, for the caller to free; NULL: out of memory. */
char *json_end(struct json *json);

/* Members of the object. What is no UTF-8 in text becomes U+FFFD. */
void json_string(struct json *json, const char *key, const char *text);
void json_number(struct json *json, const char *key, uint64_t number);
void json_numbers(struct json *json, const char *key, const unsigned long long *numbers, size_t nr);
void json_bool(struct json *json, const char *key, bool is_true);

/* A member that is an array of objects, and each of them. */
void json_array_begin(struct json *json, const char *key);
void json_element_begin(struct json *json);
void json_element_end(struct json *json);
void json_array_end(struct json *json);

#endif /* GTHULHU_JSON_H */
