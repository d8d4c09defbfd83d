# Shared by the scripts beside it: makes `.venv` with Python 3.11 or newer, and builds the native core into it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

find_python() {
    for candidate in "${PYTHON:-}" python3.13 python3.12 python3.11 python3; do
        [ -n "$candidate" ] || continue
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "error: Python 3.11 or newer is needed; name it with PYTHON=…" >&2
    exit 2
}

make_venv() {
    command -v cargo >/dev/null || { echo "error: Rust is needed: cargo was not found on the PATH" >&2; exit 2; }
    [ -x .venv/bin/python ] || "$(find_python)" -m venv .venv
    .venv/bin/python -m pip install -q --disable-pip-version-check --upgrade pip >/dev/null 2>&1 || true
}
