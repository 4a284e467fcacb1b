#!/bin/sh
# LLVMFuzzerTestOneInput: OSS-Fuzz and ClusterFuzz recognise a fuzz target by this name in the file.
#
# No library is preloaded: a preloaded libFuzzer ignores custom mutators. The program itself loads the sanitizer runtime
# that its Z3 needs.
target=@TARGET@
sanitizer=@SANITIZER@
here=$(cd "$(dirname "$0")" && pwd)
temporary=${TMPDIR:-/tmp}
export CHCFUZZ_Z3_LIBRARY="$here/z3-traced"
export XDG_CACHE_HOME="${XDG_CACHE_HOME:-$temporary/chcfuzz-cache}" # $HOME may be unset
export ASAN_OPTIONS="${ASAN_OPTIONS-}:symbolize=1:external_symbolizer_path=$here/llvm-symbolizer:detect_leaks=0"

python() {
    exec "$here/chcfuzz/chcfuzz-frozen" -P -m "$@"
}

if [ $sanitizer = coverage ]; then # OSS-Fuzz runs TARGET CORPUS -atheris_runs=N, then reads .coverage
    into=$PWD/coverage-$target
    (python chcfuzz.commands coverage --python --into="$into" "$1") || exit
    cp "$into/data.coverage" .coverage
    exit
fi

# A check of a build names no corpus: with an empty one, it executes a few built-in seeds, and not all of the project's.
is_named=no
for word in "$@"; do
    case $word in -*) ;; *) is_named=yes ;; esac
done
if [ $is_named = no ]; then
    empty=$(mktemp -d "$temporary/chcfuzz-corpus-XXXXXX") || exit
    set -- "$@" "$empty"
fi

# Each campaign has a new findings folder: the findings of an earlier campaign would count as known in this one.
findings=$(mktemp -d "$temporary/chcfuzz-findings-XXXXXX") || exit
set -- --stop-on-finding --findings="$findings" --features=all "$@" # ClusterFuzz measures and merges by edges
set -- --judge-solver-steps=off "$@" # helper processes count for its memory limit
case $sanitizer in address | undefined) set -- --wall-seconds=20 "$@" ;; esac # sanitizers make Z3 slow
[ $target != chc_command ] || set -- --command="'$here/chcfuzz/bin/z3' {}" "$@"
# libFuzzer uses the last -timeout. The program enforces shorter limits itself, and confirming a finding takes minutes.
python chcfuzz.fuzz_targets.$target "$@" -timeout=1200
