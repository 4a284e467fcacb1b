#!/bin/bash -eu
# Copyright 2026 The chcfuzz authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
#
################################################################################
#
# Builds the fuzz targets for OSS-Fuzz and ClusterFuzzLite into $OUT. They call this script with this project in
# $SRC/chcfuzz, and with $WORK and $SANITIZER set. docs/oss-fuzz.md lists the files in $OUT, and how to test this script
# without OSS-Fuzz and ClusterFuzzLite.
#
# The traced Z3 is the instrumented library. CHCFUZZ_Z3_PACKAGE names a package made by `build_z3_traced.sh --package`;
# without it, the script builds the traced Z3, which takes hours of processor time. A wheel of z3-solver is accepted as
# well: then nothing is compiled, and the feedback is Spacer's progress log, without edges.

# OSS-Fuzz's compile_python_fuzzer is not used: it packs one file and preloads libFuzzer, which then ignores custom
# mutators. OSS-Fuzz's compiler flags need that libFuzzer as well, so they are unset here.
unset CFLAGS CXXFLAGS LDFLAGS

source=$SRC/chcfuzz
here=$source/oss-fuzz

case $SANITIZER in
address | undefined) profile=asan ;; # has both sanitizers
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
case $CHCFUZZ_Z3_PACKAGE in
*.whl) python3 -m zipfile -e "$CHCFUZZ_Z3_PACKAGE" "$OUT/z3-traced" ;;
*) tar -xzf "$CHCFUZZ_Z3_PACKAGE" -C "$OUT/z3-traced" --strip-components=1 ;;
esac

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
    # OSS-Fuzz reads the architecture from a file of this name. It must not be executable, or OSS-Fuzz takes it for a target.
    cp "$OUT/chcfuzz/chcfuzz-frozen" "$OUT/$target.pkg"
    chmod -x "$OUT/$target.pkg"
    python3 -m zipfile -c "$OUT/${target}_seed_corpus.zip" "$source/corpus"/* # with folders: two have files of one name
    cp "$here/chcfuzz.dict" "$OUT/$target.dict"
    sed "s/@TARGET@/$target/g" "$here/target.options" >"$OUT/$target.options"
    if [[ $SANITIZER == coverage ]]; then # the measured sources, where OSS-Fuzz's report expects them
        rm -rf "$WORK/sources"
        mkdir -p "$WORK/sources/medio"
        (cd "$OUT" && find chcfuzz/chcfuzz-files/chcfuzz -name '*.py' -exec cp --parents -t "$WORK/sources/medio" {} +)
        (cd "$WORK/sources" && python3 -m zipfile -c "$OUT/$target.pkg.deps.zip" medio)
    fi
done
