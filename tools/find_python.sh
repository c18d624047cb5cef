#!/bin/sh
# Print the full path of the interpreter that a name refers to:  tools/find_python.sh python3.13
#
# 1. Ask the name for its executable: a launcher such as a pyenv shim prints the real one.
# 2. If that fails (a shim of a version that is not selected) or is too old: the newest version of pyenv that has it.
#
# Fails with a message if there is no interpreter, or if it is older than Python 3.11.

name=${1:-python3}
question='import sys; print(sys.executable); sys.exit(sys.version_info < (3, 11))'

old=
versions=${PYENV_ROOT:-$HOME/.pyenv}/versions
for candidate in "$name" $(ls -d "$versions"/[0-9]*/bin/"$name" 2>/dev/null | sort -rV); do
  if path=$("$candidate" -c "$question" 2>/dev/null); then
    echo "$path"
    exit 0
  fi
  old=${old:-$path}
done

if [ -n "$old" ]; then
  echo "ceiba needs Python 3.11 or newer. $name is $("$old" --version 2>&1) ($old)." >&2
else
  echo "$name does not run. Give a name or a full path, such as: make test PYTHON=/usr/bin/python3.13" >&2
fi
exit 1
