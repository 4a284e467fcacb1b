#!/usr/bin/env bash
#
# Compiles Golem, a CHC solver in C++ on OpenSMT, for `fuzz_targets/chc_command.py` and `--cross`.
# `./get_golem.sh --help` says how to call it.
#
# Both trees are mirrored into one build tree for each profile, compiler and its options, file by file: what is the same is not
# compiled again, be it after an interruption or for another source. The result belongs to the contents of both.

set -euo pipefail

HERE=$(cd "${BASH_SOURCE[0]%"${BASH_SOURCE[0]##*/}"}." && pwd)
readonly HERE
# shellcheck source=build_common.sh
. "$HERE/build_common.sh"

readonly REPOSITORY=https://github.com/usi-verification-and-security/golem.git
readonly COMMIT=2766a1a80e74fd04a90f32383246cc9e10e4e715 # 0.9.1
readonly OPENSMT_REPOSITORY=https://github.com/usi-verification-and-security/opensmt.git
readonly OPENSMT_COMMIT=3a90e58a43e8fa90a7500f7f0ccd5af8bc692268 # 2.9.1, as Golem's CMakeLists.txt names it
readonly NATIVE=$HERE/tracing/native
PACKAGES=(cmake make g++ flex bison libgmp-dev)
readonly COMPILED=(CMakeLists.txt src) # what is made of Golem depends on these of its files
readonly OPENSMT_COMPILED=(CMakeLists.txt cmake_modules src)

golem_source=
opensmt_source=
jobs=
prefix=
profile=release
install_deps=

usage() {
    printf '%s\n' "usage: ./get_golem.sh [--source DIR|ARCHIVE] [--opensmt-source DIR|ARCHIVE] [--jobs N] [--prefix DIR]
           [--profile release|trace|debug|asan] [--install-deps]

Compiles Golem with OpenSMT and checks that it solves. Takes a quarter of an hour of processor time and 300 MB; another Golem
with the same OpenSMT takes only what differs.

  --source DIR|ARCHIVE          Golem: a checkout, or an archive of a release or a commit (default: commit ${COMMIT:0:12},
                                which is 0.9.1, with git)
  --opensmt-source DIR|ARCHIVE  OpenSMT 2.9.1, which this Golem wants (default: commit ${OPENSMT_COMMIT:0:12}, with git)
  --jobs N                      compile N files at once (default: one a processor)
  --prefix DIR                  where the result goes: golem, BUILD_INFO (default: a folder a version and profile in
                                \${XDG_CACHE_HOME:-~/.cache}/chcfuzz/golem, and the profile's name there leads to it)
  --profile release             optimized, without assertions (default)
            trace               the same, its engines say what they do, and it counts edges: traces for chcfuzz (clang)
            debug               with Golem's and OpenSMT's assertions
            asan                with assertions, AddressSanitizer and UndefinedBehaviorSanitizer
  --install-deps                first install what is missing with apt (Debian, Ubuntu): ${PACKAGES[*]}

It can be interrupted: the same command goes on where it stopped. A further one only checks what is there."
}

parse_arguments() {
    while (($#)); do
        case $1 in
        --source | --opensmt-source | --jobs | --prefix | --profile)
            [[ -n ${2-} ]] || misused "$1 needs a value"
            ;;&
        --source) golem_source=$2 ;;
        --opensmt-source) opensmt_source=$2 ;;
        --jobs) jobs=$2 ;;
        --prefix) prefix=$2 ;;
        --profile) profile=$2 ;;
        --install-deps) install_deps=1 ;;
        -h | --help)
            usage
            exit 0
            ;;
        *) misused "unknown argument '$1'" ;;
        esac
        case $1 in
        --install-deps) shift ;;
        *) shift 2 ;;
        esac
    done
    [[ -z $jobs || $jobs =~ ^[1-9][0-9]*$ ]] || misused "--jobs '$jobs' is not a positive number"
    [[ $profile =~ ^(release|trace|debug|asan)$ ]] ||
        misused "--profile '$profile' is none of release, trace, debug, asan"
    [[ -z $golem_source || -e $golem_source ]] || misused "--source '$golem_source' is not there"
    [[ -z $opensmt_source || -e $opensmt_source ]] || misused "--opensmt-source '$opensmt_source' is not there"
}

choose_options() {
    build_type=Release
    compile_options=-w
    compilers=(g++)
    case $profile in
    trace)
        # GCC has neither. The sanitizers' runtime, which clang would link, turns a death by a signal into an exit code.
        compile_options+=' -fsanitize-coverage=inline-8bit-counters,pc-table -fno-sanitize-link-runtime'
        compilers=(clang++-{21..16} clang++) # older ones stumble over <ranges> of GCC 12
        PACKAGES+=(clang-19)
        ;;
    debug)
        build_type=Debug
        compile_options+=' -O1'
        ;;
    asan)
        build_type=Debug
        compile_options+=' -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined'
        ;;
    esac
}

check_tools() {
    local missing=() tool
    for tool in cmake make flex bison tar sha256sum flock; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    compiler=
    for tool in "${compilers[@]}"; do
        [[ -n $compiler ]] || ! command -v "$tool" >/dev/null || compiler=$tool
    done
    if [[ -z $compiler ]]; then
        missing+=("${compilers[-1]}")
    elif ! "$compiler" -x c++ -fsyntax-only - <<<'#include <gmpxx.h>' 2>/dev/null; then
        missing+=("GMP for C++")
    fi
    ((${#missing[@]} == 0)) || fail_for_missing "${missing[@]}" -- "${PACKAGES[@]}"
}

# Sets `found` to a folder with a tree: of the archive or folder that was given, or of the commit.
find_tree() {
    local flag=$1 given=$2 url=$3 commit=$4 proof=$5 name=$6 unpacked
    if [[ -z $given ]]; then
        found=$cache/source/$name-${commit:0:12}
        fetch_commit "$url" "$commit" "$found"
    elif [[ -d $given ]]; then
        found=$(cd "$given" && pwd)
    else
        unpacked=$cache/source/archive-$(sha256_of "$given" | cut -c1-12)
        unpack "$unpacked" "$given"
        found=$(root_with "$unpacked" "$proof") || found=$unpacked
    fi
    [[ -f $found/$proof && -f $found/CMakeLists.txt ]] || misused "$flag '$given' is not $name: it has no $proof"
}

# The version that a tree's CMakeLists.txt says, or nothing: `version_in FILE NAME`.
version_in() {
    local part
    for part in MAJOR MINOR PATCH; do
        sed -nE "s/^set\($2_VERSION_$part ([0-9]+)\).*/\1/p" "$1"
    done | paste -sd .
}

# Sets `golem`, `opensmt` to their trees, `version`, and `source_key` to the hash of both.
prepare_source() {
    local found wanted has
    find_tree --source "$golem_source" "$REPOSITORY" "$COMMIT" src/ChcSystem.cc golem
    golem=$found
    find_tree --opensmt-source "$opensmt_source" "$OPENSMT_REPOSITORY" "$OPENSMT_COMMIT" src/api/MainSolver.cc opensmt
    opensmt=$found
    version=$(version_in "$golem/CMakeLists.txt" GOLEM)
    wanted=$(sed -nE 's/^find_package\(OpenSMT ([0-9.]+) EXACT.*/\1/p' "$golem/src/CMakeLists.txt")
    has=$(version_in "$opensmt/CMakeLists.txt" OPENSMT)
    [[ -n $version ]] || misused "--source '$golem_source' does not say its version in CMakeLists.txt"
    [[ -z $wanted || $has == "$wanted" ]] ||
        misused "--opensmt-source '$opensmt_source' is OpenSMT $has; Golem $version wants $wanted"
    source_key=$(printf '%s\n' "$(contents_key "$golem" "${COMPILED[@]}")" \
        "$(contents_key "$opensmt" "${OPENSMT_COMPILED[@]}")" | sha256_of -)
}

compile() {
    local started=$SECONDS linked=
    lock_folder "$tree"
    if [[ $profile == trace ]]; then
        # Linked through the linker's options, which make does not watch: a new one removes the command.
        linked=$tree/command_edges.o
        "$compiler" -std=c++17 -O2 -c "$NATIVE/command_edges.cpp" -o "$tree/new.o"
        if ! cmp -s "$tree/new.o" "$linked"; then
            mv "$tree/new.o" "$linked"
            rm -f "$tree/build/golem"
        fi
        rm -rf "$tree/traced"
        mirror "$golem" "$tree/traced" "${COMPILED[@]}"
        sed -i 's/^#define TRACE_LEVEL 0$/#define TRACE_LEVEL 3/' "$tree"/traced/src/engine/*.cc
        mirror "$tree/traced" "$tree/golem" "${COMPILED[@]}"
    else
        mirror "$golem" "$tree/golem" "${COMPILED[@]}"
    fi
    mirror "$opensmt" "$tree/opensmt" "${OPENSMT_COMPILED[@]}"
    say "building Golem $version, profile $profile, in $tree (a quarter of an hour of processor time from scratch)"
    cmake -S "$tree/golem" -B "$tree/build" -G 'Unix Makefiles' -Wno-dev -DCMAKE_BUILD_TYPE="$build_type" \
        -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$compile_options" -DCMAKE_EXE_LINKER_FLAGS="$linked" \
        -DGOLEM_BUILD_TEST=OFF -DFETCHCONTENT_SOURCE_DIR_OPENSMT="$tree/opensmt" \
        >"$tree/configure.log" 2>&1 || fail "CMake failed, see $tree/configure.log"
    make -C "$tree/build" -j "${jobs:-$(nproc)}" Golem >"$tree/make.log" 2>&1 || fail "make failed, see $tree/make.log"
    say "built in $((SECONDS - started)) s"
}

# The command is replaced by renaming: a campaign that runs keeps the one that it started.
install_result() {
    mkdir -p "$result"
    rm -f "$result/BUILD_INFO"
    cp "$tree/build/golem" "$result/golem.new"
    mv -f "$result/golem.new" "$result/golem"
}

main() {
    parse_arguments "$@"
    choose_options
    if [[ -n $install_deps ]] && ! (check_tools) 2>/dev/null; then
        install_with_apt "install a C++ compiler, CMake, flex, bison and GMP" "${PACKAGES[@]}"
    fi
    check_tools
    cache=$(cache_of golem)
    mkdir -p "$cache/source"
    prepare_source
    local compiler_version key
    compiler_version=$("$compiler" --version | head -n 1)
    tree=$cache/build/$profile-$(printf '%s\n' "$compiler_version" "$build_type" "$compile_options" | sha256_of - | cut -c1-12)
    key=$({
        printf '%s\n' "$tree" "$source_key"
        [[ $profile != trace ]] || cat "$NATIVE/command_edges.cpp"
    } | sha256_of -)
    result=${prefix:-$cache/$version-${source_key:0:8}-$profile}
    [[ $result == /* ]] || result=$PWD/$result
    if [[ -f $result/BUILD_INFO && $(<"$result/BUILD_INFO") == *"key=$key"* ]]; then
        say "$result is up to date"
        solves "Golem $version" "$result/golem" --print-witness
    else
        compile
        install_result
        solves "Golem $version" "$result/golem" --print-witness
        printf '%s\n' "version=$version" "profile=$profile" "compiler=$compiler_version" "key=$key" "source=$golem" \
            "edges=$([[ $profile == trace ]] && printf yes || printf no)" >"$result/BUILD_INFO.new"
        mv -f "$result/BUILD_INFO.new" "$result/BUILD_INFO"
    fi
    [[ -n $prefix ]] || ln -sfn "${result##*/}" "$cache/$profile"
    say "done: $result/golem"
}

main "$@"; exit # one line: Bash has read it whole when somebody edits this file during a build
