# What build_z3_traced.sh, get_eldarica.sh and get_golem.sh share. They source it; it does nothing by itself.
# Builtins only up to `sha256_of`: this much must work on a machine that has nothing.
# shellcheck shell=bash

say() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
}

fail() {
    say "$1"
    exit "${2:-1}"
}

misused() {
    fail "$1 (see --help)" 2
}

# Its arguments in one line, with commas between them.
listed() {
    local list
    printf -v list '%s, ' "$@"
    printf '%s' "${list%, }"
}

# Installs packages with apt; `$1` says what that brings where there is no apt, or no right to use it.
install_with_apt() {
    local hint=$1 as_root=()
    shift
    command -v apt-get >/dev/null || fail "--install-deps knows apt only; $hint: $*"
    if ((EUID != 0)); then
        command -v sudo >/dev/null || fail "--install-deps needs root or sudo to run: apt-get install $*"
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

# What is missing, in one line with what gets it: the words before `--`, then packages.
fail_for_missing() {
    local missing=()
    while [[ $1 != -- ]]; do
        missing+=("$1")
        shift
    done
    shift
    fail "missing: $(listed "${missing[@]}"); get it with: ./${0##*/} --install-deps (Debian, Ubuntu: apt-get install $*)"
}

sha256_of() {
    local line
    line=$(sha256sum "$@")
    printf '%s' "${line%% *}"
}

# One hash for the contents of files and folders below a folder: `contents_key FOLDER PATH...`.
contents_key() {
    local folder=$1
    shift
    (cd "$folder" && find "$@" -type f ! -name '*.pyc' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) | sha256_of -
}

# Copies a file unless it is the same already: a newer date alone would compile everything again.
refresh() {
    cmp -s "$1" "$2" || cp "$1" "$2"
}

# Where scripts keep what they make of a solver.
cache_of() {
    printf '%s' "${XDG_CACHE_HOME:-$HOME/.cache}/chcfuzz/$1"
}

# Holds a lock on a folder until this process ends; another one of the same build is told so.
lock_folder() {
    mkdir -p "$1"
    exec {lock}>"$1/lock"
    flock --nonblock "$lock" || fail "another build is at work in $1"
}

# The one commit of a repository, in a folder that is complete or not there: `fetch_commit URL COMMIT FOLDER`. Git checks
# what it fetches against the commit's hash.
fetch_commit() {
    local url=$1 commit=$2 folder=$3
    [[ ! -d $folder ]] || return 0
    command -v git >/dev/null || fail "missing: git; install it, or give the source with --source"
    rm -rf "$folder.partial"
    git init --quiet "$folder.partial"
    say "fetching commit ${commit:0:12} of $url"
    git -C "$folder.partial" fetch --quiet --depth 1 "$url" "$commit" ||
        fail "cannot fetch commit $commit of '$url'; give its source with --source DIR|ARCHIVE"
    git -C "$folder.partial" checkout --quiet FETCH_HEAD
    mv "$folder.partial" "$folder"
}

# Unpacks archives, one over the other, into a folder that is complete or not there: `unpack FOLDER ARCHIVE...`.
unpack() {
    local folder=$1 archive
    shift
    [[ ! -d $folder ]] || return 0
    rm -rf "$folder.partial"
    mkdir -p "$folder.partial"
    for archive; do
        tar -xf "$archive" -C "$folder.partial" 2>/dev/null || misused "--source '$archive' is no archive that tar can unpack"
    done
    mv "$folder.partial" "$folder"
}

# The folder below (or at) which `$2` lies, at most one level down: archives of a release have a folder of their own.
root_with() {
    local folder
    for folder in "$1" "$1"/*/; do
        [[ ! -e $folder/$2 ]] || {
            printf '%s' "${folder%/}"
            return
        }
    done
    return 1
}

# Writes a system of two clauses: with `sat`, (p 0) and a query that it does not reach; with `unsat`, one that it does.
write_check() {
    local query=1
    [[ $1 == sat ]] || query=0
    printf '%s\n' '(set-logic HORN)' '(declare-fun p (Int) Bool)' '(assert (forall ((x Int)) (=> (= x 0) (p x))))' \
        "(assert (forall ((x Int)) (=> (and (p x) (= x $query)) false)))" '(check-sat)' >"$2"
}

# Runs a solver's command on both systems: `solves NAME COMMAND...`; it has to print a model of the first.
solves() {
    local name=$1 answer file wanted
    shift
    file=$(mktemp -d)
    for wanted in sat unsat; do
        write_check "$wanted" "$file/check.smt2"
        answer=$'\n'$("$@" "$file/check.smt2" 2>/dev/null)$'\n' || true
        rm -f "$file/check.smt2"
        case $wanted in
        sat) [[ $answer == *$'\n'sat$'\n'*'(define-fun p '* ]] || fail "$name finds no model of p(0):${answer//$'\n'/ }" ;;
        unsat) [[ $answer == *$'\n'unsat$'\n'* ]] || fail "$name does not refute p(0), not p(0):${answer//$'\n'/ }" ;;
        esac
    done
    rmdir "$file"
}

# Makes a folder the same as another one, as far as these paths go, and touches only what differs: `mirror FROM INTO PATH...`.
mirror() {
    local from=$1 into=$2 file
    shift 2
    mkdir -p "$into"
    while IFS= read -r -d '' file; do
        mkdir -p "$into/${file%/*}"
        refresh "$from/$file" "$into/$file"
    done < <(cd "$from" && find "$@" -type f -printf './%p\0')
    while IFS= read -r -d '' file; do
        [[ -e $from/$file ]] || rm "$into/$file"
    done < <(cd "$into" && find . -type f -printf '%p\0')
}
