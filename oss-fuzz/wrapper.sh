#!/bin/sh
# LLVMFuzzerTestOneInput: OSS-Fuzz and ClusterFuzz take a program that names it for a fuzz target.
#
# Nothing is preloaded: a libFuzzer that is ignores custom mutators. A runtime that the Z3 here needs, the program loads.
target=@TARGET@
sanitizer=@SANITIZER@
here=$(cd "$(dirname "$0")" && pwd)
temporary=${TMPDIR:-/tmp}
export CHCFUZZ_Z3_LIBRARY="$here/z3-traced"
export XDG_CACHE_HOME="${XDG_CACHE_HOME:-$temporary/chcfuzz-cache}" # there may be no home
export ASAN_OPTIONS="${ASAN_OPTIONS-}:symbolize=1:external_symbolizer_path=$here/llvm-symbolizer:detect_leaks=0"

python() {
    exec "$here/chcfuzz/chcfuzz-frozen" -P -m "$@"
}

if [ $sanitizer = coverage ]; then # OSS-Fuzz: TARGET CORPUS -atheris_runs=N, then it takes .coverage
    into=$PWD/coverage-$target
    (python chcfuzz.commands coverage --into="$into" "$1") || exit
    cp "$into/data.coverage" .coverage
    exit
fi

# A folder of its own for each campaign: what an earlier one has seen must not decide what this one calls a finding.
findings=$(mktemp -d "$temporary/chcfuzz-findings-XXXXXX") || exit
set -- --stop-on-finding --findings="$findings" "$@"
case $sanitizer in address | undefined) set -- --wall-seconds=20 "$@" ;; esac # they are slow
[ $target != chc_command ] || set -- --command="'$here/chcfuzz/bin/z3' {}" "$@"
# The last -timeout counts: what ends an execution is the program's own limits, and looking into a finding takes minutes.
python chcfuzz.fuzz_targets.$target "$@" -timeout=1200
