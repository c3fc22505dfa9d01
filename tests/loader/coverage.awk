# SPDX-License-Identifier: GPL-2.0-only
#
# Prints the share of the loader's lines that ran, from the output of gcov --no-output.

/^File / { is_source = /'runtime\/.*\.c'/ }
/^Lines executed:/ && is_source {
	split($0, part, /[:%]| of /)
	lines += part[4]
	executed += part[2] / 100 * part[4]
	is_source = 0 # the sum at the end has no name
}
END { printf "the loader's C: %d lines, %.0f%% of them ran\n", lines, 100 * executed / lines }
