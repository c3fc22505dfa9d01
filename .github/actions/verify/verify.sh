#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# verify.sh FOLDER: checks and verifies $POLICIES on $KERNEL, continues after a failure, and writes
# table.md, JSON and JUnit files to FOLDER. Exit status: the worst of all commands.

set -u -o pipefail
folder=$1
mkdir -p "$folder"
table=$folder/table.md
worst=0

note() {
    local status=$1
    [ "$status" -le "$worst" ] || worst=$status
}

shopt -s nullglob
# The value is a list of words with globs, so the shell has to split and expand it.
# shellcheck disable=SC2206
policies=($POLICIES)
echo "<!-- gthulhu verify -->" >"$table"
if [ ${#policies[@]} = 0 ]; then
    echo "No policy matches \`$POLICIES\`." | tee -a "$table"
    exit 2
fi

gthulhu check --format github "${policies[@]}"
note $?
# Verify the others even if one policy has errors.
for policy in "${policies[@]}"; do
    name=$(tr / - <<<"${policy%.gpl}")
    # shellcheck disable=SC2086
    gthulhu verify "$policy" --kernel "$KERNEL" $OPTIONS \
        --json "$folder/$name.json" --junit "$folder/$name.xml" | tee "$folder/$name.txt"
    status=${PIPESTATUS[0]}
    note "$status"
    [ -s "$folder/$name.txt" ] || echo "no verdict; the log says why" >"$folder/$name.txt"
    mark=✅
    [ "$status" = 0 ] || mark=❌
    {
        printf '\n%s `%s` on %s\n\n' "$mark" "$policy" "$KERNEL"
        printf '```\n'
        cat "$folder/$name.txt"
        printf '```\n'
    } >>"$table"
done
exit "$worst"
