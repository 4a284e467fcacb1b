#!/usr/bin/env bash
#
# Builds libz3.so with trace events in memory and edge counters, for `fuzz_targets/spacer.py`, and the z3 program of
# the same objects.
# `./build_z3_traced.sh --help` lists the options; tracing/native/chcfuzz_events.h describes the library's interface.
#
# Z3's sources are compiled unchanged: tracing/native/util/trace.h precedes Z3's own file in the search path of
# #include, and everything else is a build option. Two keys decide what is rebuilt. The key of the *build tree* covers
# a source, a profile, a compiler and its options; Ninja continues there after an interruption or an edit. The key of
# the *result* also covers the contents of tracing/native. If BUILD_INFO names the same result, the script only checks
# the library.

set -euo pipefail

# Use only builtins up to check_tools: argument errors and missing tools must be reported on a bare machine.
HERE=$(cd "${BASH_SOURCE[0]%"${BASH_SOURCE[0]##*/}"}." && pwd)
readonly HERE NATIVE=$HERE/tracing/native

# Source distributions of z3-solver on PyPI, pinned.
declare -rA KNOWN=(
    [5.4.0.0]=46b7a3256c275cb041ddece36b20ab1ed28082f3d2b4722d906c8ca68f251f0c
    [4.13.4.0]=66944689398d19f831f94524e95e99961d998afa27cfef1918a5a441029ea73f
    [4.8.14.0]=ded46ac020e319c03bb597433f451679294ae7adba0151b170fed0d4d973abbe
)
# Z3 5.4 needs a newer CMake than that of Debian 12, Z3 4.8 one older than 4.0.
readonly TOOLS=(cmake==3.31.6 ninja==1.11.1.4 setuptools==80.9.0 wheel==0.45.1)
# Z3 5 includes <format>, which only libc++ 19 offers on Debian 12. clang 19 rejects templates of Z3 before 4.13
# (src/math/lp/tail_matrix.h); those releases are compiled with an older clang and the system's C++ library.
readonly PACKAGES=(clang-19 lld-19 llvm-19 libc++-19-dev libc++abi-19-dev libclang-rt-19-dev python3-venv)
readonly OLD_PACKAGES=(clang-16 lld-16 llvm-19 libclang-rt-16-dev python3-venv)

version=5.4.0.0
source=
jobs=
prefix=
profile=trace
sha256=
unpinned=
install_deps=
package=

log() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
}

fail() {
    log "$1"
    exit "${2:-1}"
}

misused() {
    fail "$1 (see --help)" 2
}

# Print the arguments in one line, separated by commas.
listed() {
    local list
    printf -v list '%s, ' "$@"
    printf '%s' "${list%, }"
}

usage() {
    printf '%s\n' "usage: ./build_z3_traced.sh [--version X.Y.Z.W | --source DIR] [--jobs N] [--prefix DIR]
           [--profile trace|locate|parts|coverage|asan|debug|text] [--sha256 H | --unpinned] [--install-deps | --package FILE]

Builds a libz3.so that records trace events and counts edges, and the z3 program beside it, and checks both.

  --version X.Y.Z.W  a release of z3-solver on PyPI (default $version); pinned by hash: ${!KNOWN[*]}
  --source DIR       a checkout of Z3 instead, compiled in place, nothing written into it
  --jobs N           compile N files at once (default: one a processor)
  --prefix DIR       where the result goes: lib/libz3.so, bin/z3, python/z3, BUILD_INFO
                     (default: a folder a version and profile in \${XDG_CACHE_HOME:-~/.cache}/chcfuzz/z3-traced)
  --profile trace    optimized, events, edges, line tables (default)
            locate   as trace, with the edges of more folders, for \`chcfuzz locate\`; slower
            parts    as trace, with the edges of the parts that fuzz_targets/parts.py asks
            coverage source-based coverage for llvm-cov, events, no edge counters
            asan     AddressSanitizer and UndefinedBehaviorSanitizer, events, edges
            debug    Z3's own assertions; a failed one raises or exits, it never prompts
            text     Z3's own text traces, for bench/speed/tracing.py; no events, no edge counters
  --sha256 H         the hash that the source distribution must have
  --unpinned         take whatever PyPI has for a version that is not pinned
  --install-deps     where the compiler is missing, install it with apt (Debian, Ubuntu): ${PACKAGES[*]};
                     for releases before 4.13: ${OLD_PACKAGES[*]}
  --package FILE     build nothing: pack what is in DIR into FILE, a tar.gz for other machines with the same processor
                     and a glibc as new. Unpack it anywhere, and name that folder with --z3-library

A first build takes half an hour to two hours of processor time, with sanitizers or for llvm-cov up to three, and 3 GB. It can be
interrupted: the same command goes on where it stopped. A further one only checks what is there."
}

parse_arguments() {
    local version_given=
    while (($#)); do
        case $1 in
        --version | --source | --jobs | --prefix | --profile | --sha256 | --package)
            [[ -n ${2-} ]] || misused "$1 needs a value"
            ;;&
        --version) version=$2 version_given=1 ;;
        --source) source=$2 ;;
        --jobs) jobs=$2 ;;
        --prefix) prefix=$2 ;;
        --profile) profile=$2 ;;
        --sha256) sha256=$2 ;;
        --unpinned) unpinned=1 ;;
        --install-deps) install_deps=1 ;;
        --package) package=$2 ;;
        -h | --help)
            usage
            exit 0
            ;;
        *) misused "unknown argument '$1'" ;;
        esac
        case $1 in
        --unpinned | --install-deps) shift ;;
        *) shift 2 ;;
        esac
    done

    [[ -z $source || -z $version_given ]] || misused "--version and --source exclude each other"
    [[ -z $sha256 || -z $unpinned ]] || misused "--sha256 and --unpinned exclude each other"
    [[ -z $package || -z $install_deps ]] || misused "--package builds nothing, so it needs no --install-deps"
    [[ -z $source || -z $sha256$unpinned ]] || misused "--sha256 and --unpinned are for --version, not --source"
    [[ $version =~ ^[0-9]+(\.[0-9]+){3}$ ]] || misused "--version '$version' is not of the form X.Y.Z.W"
    [[ -z $jobs || $jobs =~ ^[1-9][0-9]*$ ]] || misused "--jobs '$jobs' is not a positive number"
    [[ $profile =~ ^(trace|locate|parts|coverage|asan|debug|text)$ ]] ||
        misused "--profile '$profile' is none of trace, locate, parts, coverage, asan, debug, text"
    [[ -z $sha256 || $sha256 =~ ^[0-9a-f]{64}$ ]] || misused "--sha256 '$sha256' is not 64 hexadecimal digits"
    if [[ -n $source ]]; then
        [[ -f $source/CMakeLists.txt && -f $source/src/util/trace.h ]] ||
            misused "--source '$source' is not a checkout of Z3: it has no src/util/trace.h"
        source=$(cd "$source" && pwd)
        version=$(sed -nE 's/^([0-9]+(\.[0-9]+){3}).*/\1/p' "$source/scripts/VERSION.txt" 2>/dev/null ||
            sed -nE 's/.*project\(Z3 VERSION ([0-9.]+).*/\1/p' "$source/CMakeLists.txt")
        [[ -n $version ]] ||
            misused "--source '$source' does not state its version in scripts/VERSION.txt or CMakeLists.txt"
    elif [[ -z $sha256 && -z $unpinned ]]; then
        sha256=${KNOWN[$version]-}
        [[ -n $sha256 ]] ||
            misused "Z3 $version is not pinned here (only ${!KNOWN[*]}): pass its hash with --sha256, or pass --unpinned"
    fi
}

choose_options() {
    build_type=Release
    compile_options=(-w)
    link_options=(-fuse-ld=lld)
    if [[ $version =~ ^4\.([0-9]|1[0-2])\. ]]; then
        compilers=(clang++-16 clang++-17 clang++-18)
        packages=("${OLD_PACKAGES[@]}")
        wants="clang++ 16 with lld"
        header=string
    else
        compilers=(clang++-19 clang++-20 clang++-21 clang++)
        packages=("${PACKAGES[@]}")
        wants="clang++ 19 with libc++ and lld"
        header=format
        compile_options+=(-stdlib=libc++)
        link_options+=(-stdlib=libc++)
    fi
    link_options+=(-static-libstdc++ "-Wl,--exclude-libs,ALL" "-Wl,--no-undefined")
    edge_options="-fsanitize-coverage=inline-8bit-counters,pc-table"
    allowlist=$NATIVE/edges.allowlist
    case $profile in
    trace) compile_options+=(-O3 -g1) ;;
    locate)
        compile_options+=(-O3 -g1)
        allowlist=$NATIVE/located.allowlist
        ;;
    parts)
        compile_options+=(-O3 -g1)
        allowlist=$NATIVE/parts.allowlist
        ;;
    coverage)
        compile_options+=(-O1 -g1 -fprofile-instr-generate -fcoverage-mapping)
        link_options+=(-fprofile-instr-generate)
        edge_options=
        ;;
    asan)
        local sanitizers=("-fsanitize=address,undefined" "-fno-sanitize=vptr,function" -shared-libasan)
        compile_options+=(-O1 -g1 -fno-omit-frame-pointer "${sanitizers[@]}")
        link_options+=("${sanitizers[@]}")
        ;;
    debug)
        build_type=Debug
        compile_options+=(-O1 -g1 -DNO_Z3_DEBUGGER)
        ;;
    text)
        compile_options+=(-O3)
        edge_options=
        ;;
    esac
}

install_packages() {
    local as_root=()
    log "installing with apt (about 700 MB): ${packages[*]}"
    command -v apt-get >/dev/null || fail "--install-deps knows apt only; install what matches: ${packages[*]}"
    if ((EUID != 0)); then
        command -v sudo >/dev/null || fail "--install-deps needs root or sudo to run: apt-get install ${packages[*]}"
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >&2
}

# Set `compiler`, or fail with one line that names the missing tools and the command that installs them.
check_tools() {
    local missing=() tool
    for tool in python3 tar sha256sum; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    if [[ " ${missing[*]-} " != *" python3 "* ]] && ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
        missing+=("python3's venv module")
    fi
    compiler=
    for tool in "${compilers[@]}"; do
        if command -v "$tool" >/dev/null; then
            compiler=$tool
            break
        fi
    done
    if [[ -z $compiler ]]; then
        missing+=("$wants")
    elif ! printf '#include <%s>\nint f() { return 0; }\n' "$header" |
        "$compiler" -std=c++20 -x c++ "${compile_options[@]}" -fPIC -shared - "${link_options[@]}" -o /dev/null 2>/dev/null; then
        missing+=("what $compiler needs for <$header>, lld and the profile '$profile'")
    fi
    ((${#missing[@]} == 0)) ||
        fail "missing: $(listed "${missing[@]}"); get it with: ./${0##*/} --install-deps (Debian, Ubuntu: apt-get install ${packages[*]})"
}

sha256_of() {
    local line
    line=$(sha256sum "$@")
    printf '%s' "${line%% *}"
}

# Print one hash for the contents of files and folders below a folder: `contents_key FOLDER PATH...`.
contents_key() {
    local folder=$1
    shift
    (cd "$folder" && find "$@" -type f ! -name '*.pyc' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) | sha256_of -
}

# Copy a file unless the target has the same contents: a newer date alone would recompile everything.
refresh() {
    cmp -s "$1" "$2" || cp "$1" "$2"
}

# Hold a lock on a folder until this process ends; fail if another build holds it.
lock_folder() {
    mkdir -p "$1"
    exec {lock}>"$1/lock"
    flock --nonblock "$lock" || fail "another build is at work in $1"
}

# Fail for folders that the compiler's flags, a single text for CMake, cannot name.
check_folders() {
    local folder
    for folder in "$cache" "$source"; do
        [[ $folder != *[[:space:]]* ]] ||
            fail "CMake cannot compile with the space in '$folder': move the checkout, or set XDG_CACHE_HOME"
    done
}

# Prepare the tools and the sources, which builds share: one build at a time.
prepare() {
    exec {shared}>"$cache/lock"
    flock --nonblock "$shared" || {
        log "waiting for another build, which prepares its tools and sources"
        flock "$shared"
    }
    prepare_tools
    prepare_source
    exec {shared}>&-
}

# Install fixed versions of CMake, Ninja and pip in a virtual environment.
prepare_tools() {
    tools=$cache/tools
    if [[ ! -f $tools/installed || $(<"$tools/installed") != "${TOOLS[*]}" ]]; then
        log "installing ${TOOLS[*]} from PyPI into $tools"
        rm -rf "$tools"
        python3 -m venv "$tools"
        "$tools/bin/pip" install --quiet --disable-pip-version-check "${TOOLS[@]}"
        printf '%s\n' "${TOOLS[*]}" >"$tools/installed"
    fi
    export PATH=$tools/bin:$PATH
}

# Set `archive` to the source distribution; it is downloaded once, and its hash is checked before anything in it runs.
fetch_archive() {
    local found=("$cache"/download/z3[-_]solver-"$version".tar.gz)
    if [[ ! -f ${found[0]} || (-n $sha256 && $(sha256_of "${found[0]}") != "$sha256") ]]; then
        log "fetching the source distribution of z3-solver $version from PyPI (6 MB)"
        mkdir -p "$cache/download"
        printf 'z3-solver==%s %s\n' "$version" "${sha256:+--hash=sha256:$sha256}" >"$cache/download/requirements.txt"
        pip download --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-binary z3-solver \
            --dest "$cache/download" --requirement "$cache/download/requirements.txt" ||
            fail "PyPI has no source distribution of z3-solver $version${sha256:+ with the hash $sha256}"
        found=("$cache"/download/z3[-_]solver-"$version".tar.gz)
    fi
    archive=${found[0]}
}

# Set `cache`, the name of the result (`name`) and its folder (`prefix`).
choose_places() {
    cache=${XDG_CACHE_HOME:-$HOME/.cache}/chcfuzz/z3-traced
    name=$version
    [[ -z $source ]] || name=source-${source##*/}-$(printf '%s' "$source" | sha256_of - | cut -c1-8)
    prefix=${prefix:-$cache/$name-$profile}
    [[ $prefix == /* ]] || prefix=$PWD/$prefix
}

# Set `source` to a folder with Z3's sources, and `source_key` to the hash of their contents.
prepare_source() {
    if [[ -n $source ]]; then
        source_key=$(contents_key "$source" CMakeLists.txt cmake scripts src)
        tree_identity=$source
        return
    fi
    fetch_archive
    source_key=$(sha256_of "$archive")
    tree_identity=$source_key
    source=$cache/source/$version-${source_key:0:8}
    if [[ ! -d $source ]]; then
        rm -rf "$source.partial"
        mkdir -p "$source.partial"
        tar -xzf "$archive" -C "$source.partial" --strip-components=2 --wildcards '*/core/*'
        mv "$source.partial" "$source"
    fi
}

compute_keys() {
    local options="$profile $build_type ${compile_options[*]} $edge_options ${link_options[*]} ${TOOLS[*]}"
    compiler_version=$("$compiler" --version | head -n 1)
    tree=$cache/build/$name-$profile-$(printf '%s\n' "$tree_identity" "$compiler_version" "$options" | sha256_of - | cut -c1-12)
    key=$({
        printf '%s\n' "$tree" "$source_key" "with bin/z3"
        cat "$NATIVE"/util/trace.h "$NATIVE"/chcfuzz_events.{h,cpp} "$allowlist"
    } | sha256_of -)
}

compile() {
    local started=$SECONDS native=$tree/native
    lock_folder "$tree"
    mkdir -p "$native/util" "$tree/build"
    export PYTHONDONTWRITEBYTECODE=1 # Z3's generators would leave __pycache__ in a checkout
    refresh "$NATIVE/util/trace.h" "$native/util/trace.h"
    refresh "$NATIVE/chcfuzz_events.h" "$native/chcfuzz_events.h"
    refresh "$NATIVE/precompiled.h" "$native/precompiled.h"
    if ! cmp -s "$allowlist" "$native/edges.allowlist"; then
        find "$tree/build" -name '*.o' -delete # the compiler does not report it as a dependency
        cp "$allowlist" "$native/edges.allowlist"
    fi

    # The recorder is passed in the linker options, which Ninja does not track: remove the results if the recorder changed.
    "$compiler" -std=c++17 -fPIC -fvisibility=hidden "${compile_options[@]}" -iquote "$native" \
        -c "$NATIVE/chcfuzz_events.cpp" -o "$native/new.o"
    if ! cmp -s "$native/new.o" "$native/chcfuzz_events.o"; then
        mv "$native/new.o" "$native/chcfuzz_events.o"
        rm -f "$tree"/build/libz3.so* "$tree/build/z3"
    fi

    local flags="${compile_options[*]}" recorder="" tracing=OFF
    if [[ $profile == text ]]; then
        tracing=ON
    else
        flags+=" -iquote $native"
        recorder=$native/chcfuzz_events.o
    fi
    flags+=" -fmacro-prefix-map=$source/="
    [[ -z $edge_options ]] || flags+=" $edge_options -fsanitize-coverage-allowlist=$native/edges.allowlist"
    log "building $name, profile $profile, in $tree (hours of processor time from scratch: see --help)"
    cmake -S "$source" -B "$tree/build" -G Ninja -Wno-dev \
        -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE="$build_type" \
        -DCMAKE_CXX_FLAGS_RELEASE=-DNDEBUG -DCMAKE_CXX_FLAGS_DEBUG= -DCMAKE_CXX_FLAGS="$flags" \
        -DCMAKE_PROJECT_INCLUDE="$NATIVE/precompiled.cmake" -DCHCFUZZ_NATIVE="$native" \
        -DCMAKE_SHARED_LINKER_FLAGS="${link_options[*]} $recorder" -DCMAKE_EXE_LINKER_FLAGS="${link_options[*]} $recorder" \
        -DZ3_ENABLE_TRACING_FOR_NON_DEBUG="$tracing" \
        -DZ3_BUILD_PYTHON_BINDINGS=ON -DZ3_BUILD_EXECUTABLE=ON -DZ3_BUILD_TEST_EXECUTABLES=OFF \
        -DZ3_ENABLE_EXAMPLE_TARGETS=OFF -DZ3_INCLUDE_GIT_HASH=OFF -DZ3_INCLUDE_GIT_DESCRIBE=OFF \
        >"$tree/configure.log" 2>&1 || fail "CMake failed, see $tree/configure.log"
    ninja -C "$tree/build" -j "${jobs:-$(nproc)}" libz3 shell build_z3_python_bindings
    log "built in $((SECONDS - started)) s"
}

# Replace the library and the program by renaming, so that a running campaign keeps the files that it has loaded.
install_result() {
    local library soname
    library=$(readlink -f "$tree/build/libz3.so")
    soname=libz3.so.${version%.*.*}
    mkdir -p "$prefix/lib" "$prefix/bin" "$prefix/python/z3"
    rm -f "$prefix/BUILD_INFO"
    cp "$library" "$prefix/lib/libz3.so.new"
    mv -f "$prefix/lib/libz3.so.new" "$prefix/lib/libz3.so"
    ln -sfn libz3.so "$prefix/lib/$soname"
    cp "$tree/build/z3" "$prefix/bin/z3.new"
    mv -f "$prefix/bin/z3.new" "$prefix/bin/z3"
    cp "$tree"/build/python/z3/*.py "$prefix/python/z3/"
}

# Print the library that Python must preload to load the result; empty except for profile asan.
runtime() {
    [[ $profile != asan ]] || "$compiler" -print-file-name="libclang_rt.asan-$(uname -m).so"
}

# Check the result in folder $1, with the runtime $2 preloaded.
self_check() {
    # Python itself leaks memory at exit. Z3 writes text traces to the current folder.
    (
        cd "$cache"
        LD_PRELOAD=$2 ASAN_OPTIONS=detect_leaks=0 LLVM_PROFILE_FILE=/dev/null \
            python3 "$NATIVE/self_check.py" "$1" "$profile"
        rm -f .z3-trace
    )
}

# Print the total duration in seconds of all compile commands of the build tree, over all runs of Ninja.
compile_seconds() {
    awk -F '\t' '!/^#/ { took[$5] = $2 - $1 } END { for (each in took) sum += took[each]; printf "%d", sum / 1000 }' \
        "$tree/build/.ninja_log"
}

write_build_info() {
    printf '%s\n' "version=$version" "profile=$profile" "compiler=$compiler_version" "key=$key" \
        "source=$source" "preload=$(runtime)" "compile_seconds=$(compile_seconds)" >"$prefix/BUILD_INFO.new"
    mv -f "$prefix/BUILD_INFO.new" "$prefix/BUILD_INFO"
}

# Print the minimum version of the GNU C library that these files need: the newest one that they name.
glibc_of() {
    grep -aohE 'GLIBC_2(\.[0-9]+)+' "$@" | sort -uV | sed -n '$s/GLIBC_//p'
}

# Pack the finished result in `prefix`, unpack the archive in another folder and check it there, then replace FILE.
make_package() {
    local folder=$name-$profile runtime='' tool preload work packed
    for tool in python3 tar gzip; do
        command -v "$tool" >/dev/null || fail "missing: $tool"
    done
    [[ -f $prefix/BUILD_INFO ]] ||
        fail "nothing is built in '$prefix'; run the same command without --package first, or name another --prefix"
    [[ $(sed -n '/^version=/p; /^profile=/p' "$prefix/BUILD_INFO") == "version=$version"$'\n'"profile=$profile" ]] ||
        fail "'$prefix' holds another build than Z3 $version, profile $profile: see $prefix/BUILD_INFO"
    [[ $package == /* ]] || package=$PWD/$package
    [[ -d ${package%/*}/ && ! -d $package ]] || fail "--package '$package' is not a file in an existing folder"
    work=$(mktemp -d "$package.XXXXXX") || fail "cannot write to '${package%/*}'"
    # shellcheck disable=SC2064 # this very folder
    trap "rm -rf '$work'" EXIT
    mkdir "$work/packed"
    packed=$work/packed/$folder
    cp -R "$prefix/." "$packed"
    find "$packed" -name __pycache__ -prune -exec rm -r {} +
    preload=$(sed -n 's/^preload=//p' "$packed/BUILD_INFO")
    if [[ -n $preload ]]; then
        runtime=lib/${preload##*/}
        cp "$prefix/$runtime" "$packed/$runtime" 2>/dev/null || cp "$preload" "$packed/$runtime"
    fi
    # Remove paths of this machine.
    sed -i -E -e "s|^preload=.*|preload=$runtime|" -e '/^(source|glibc)=/d' "$packed/BUILD_INFO"
    printf 'glibc=%s\n' "$(glibc_of "$packed"/lib/*.so "$packed/bin/z3")" >>"$packed/BUILD_INFO"
    tar -C "$work/packed" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf - "$folder" |
        gzip -n >"$work/package.tar.gz"
    rm -r "$work/packed"
    mkdir "$work/unpacked"
    tar -xzf "$work/package.tar.gz" -C "$work/unpacked"
    self_check "$work/unpacked/$folder" "${runtime:+$work/unpacked/$folder/$runtime}"
    mv -f "$work/package.tar.gz" "$package"
    log "packed: $package; needs $(sed -n 's/^glibc=/glibc /p' "$work/unpacked/$folder/BUILD_INFO") or newer," \
        "$(uname -m); unpack it anywhere, then --z3-library .../$folder"
}

main() {
    parse_arguments "$@"
    if [[ -n $package ]]; then
        choose_places
        mkdir -p "$cache"
        make_package
        return
    fi
    choose_options
    if [[ -n $install_deps ]] && ! (check_tools) 2>/dev/null; then
        install_packages
    fi
    check_tools
    choose_places
    check_folders
    mkdir -p "$cache"
    prepare
    compute_keys
    if [[ -f $prefix/BUILD_INFO && $(<"$prefix/BUILD_INFO") == *"key=$key"* ]]; then
        log "$prefix is up to date"
        self_check "$prefix" "$(runtime)"
        [[ ! -f $tree/build/.ninja_log ]] || write_build_info # a newer script may record more fields
        return
    fi
    compile
    install_result
    self_check "$prefix" "$(runtime)"
    write_build_info
    log "done: $prefix/lib/libz3.so, $prefix/bin/z3"
}

main "$@"; exit # on one line: Bash has already read it if the file is edited during a build
