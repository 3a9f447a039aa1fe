#!/usr/bin/env bash
# The segment contract and the speed table on an accelerator: one command, offline, under four minutes.
#
#   benchmarks/device_check.sh [--device cpu] [--backend torch|jax]
#
# Needs a Python with PyTorch or JAX and the package's own dependencies; wheels of those that it lacks may lie in
# .whl/. The result is device_check.json in $OUT (by default out/).
set -euo pipefail
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3}
export OUT=${OUT:-out} PYTHONPATH=src:tests:. PYTHONUNBUFFERED=1
mkdir -p "$OUT"
if ! "$PYTHON" -c "import array_api_compat, einops, jaxtyping, optree" 2>/dev/null && [ -d .whl ]; then
  "$PYTHON" -m pip install --quiet --no-index --no-deps --target "$OUT/site" .whl/*.whl
  export PYTHONPATH="$PYTHONPATH:$OUT/site"
fi
exec "$PYTHON" -m benchmarks.device_check --out "$OUT/device_check.json" "$@"
