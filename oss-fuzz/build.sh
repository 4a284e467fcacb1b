#!/bin/bash -eu
#
# Builds what OSS-Fuzz and ClusterFuzzLite run into $OUT, as they call it: $SRC/chcfuzz is this project, and $WORK,
# $SANITIZER are set. docs/oss-fuzz.md says what lands there, and how to try it without either of them.
#
# The traced Z3 is the instrumented library. CHCFUZZ_Z3_PACKAGE names one that `build_z3_traced.sh --package` made; else it
# is built, which takes hours of processor time.

# OSS-Fuzz's own way (compile_python_fuzzer) packs one file, and preloads libFuzzer, which then ignores custom mutators.
# Hence our own. Its compiler flags want that libFuzzer too; what is built here has flags of its own.
unset CFLAGS CXXFLAGS LDFLAGS

source=$SRC/chcfuzz
here=$source/oss-fuzz

case $SANITIZER in
address | undefined) profile=asan ;; # has both
*) profile=trace ;;
esac
if [[ -z ${CHCFUZZ_Z3_PACKAGE-} ]]; then
    export XDG_CACHE_HOME=$WORK/cache
    CHCFUZZ_Z3_PACKAGE=$WORK/z3-$profile.tar.gz
    "$source/build_z3_traced.sh" --install-deps --profile "$profile"
    "$source/build_z3_traced.sh" --package "$CHCFUZZ_Z3_PACKAGE" --profile "$profile"
fi
rm -rf "$OUT/z3-traced"
mkdir "$OUT/z3-traced"
tar -xzf "$CHCFUZZ_Z3_PACKAGE" -C "$OUT/z3-traced" --strip-components=1

rm -rf "$WORK/python"
python3 -m venv "$WORK/python"
"$WORK/python/bin/pip" install --quiet --constraint "$source/requirements.lock" "$source" pyinstaller
"$WORK/python/bin/pyinstaller" --noconfirm --log-level=WARN \
    --distpath "$WORK/frozen" --workpath "$WORK/pyinstaller" "$here/frozen.spec"
rm -rf "$OUT/chcfuzz"
cp -R "$WORK/frozen/chcfuzz-frozen" "$OUT/chcfuzz"
mkdir "$OUT/chcfuzz/bin"
cp "$WORK/python/bin/z3" "$OUT/chcfuzz/bin/z3"

for target in spacer chc_command; do
    sed -e "s/@TARGET@/$target/g" -e "s/@SANITIZER@/$SANITIZER/g" "$here/wrapper.sh" >"$OUT/$target"
    chmod +x "$OUT/$target"
    # Nothing runs this: OSS-Fuzz looks into a file of this name for the architecture. Not executable, or it were a target.
    cp "$OUT/chcfuzz/chcfuzz-frozen" "$OUT/$target.pkg"
    chmod -x "$OUT/$target.pkg"
    find "$source/corpus" -name '*.smt2' -print0 | sort -z |
        xargs -0 python3 -m zipfile -c "$OUT/${target}_seed_corpus.zip"
    cp "$here/chcfuzz.dict" "$OUT/$target.dict"
    sed "s/@TARGET@/$target/g" "$here/target.options" >"$OUT/$target.options"
    if [[ $SANITIZER == coverage ]]; then # what is measured, where OSS-Fuzz's report looks for it
        rm -rf "$WORK/sources"
        mkdir -p "$WORK/sources/medio"
        (cd "$OUT" && find chcfuzz/chcfuzz-files/chcfuzz -name '*.py' -exec cp --parents -t "$WORK/sources/medio" {} +)
        (cd "$WORK/sources" && python3 -m zipfile -c "$OUT/$target.pkg.deps.zip" medio)
    fi
done
