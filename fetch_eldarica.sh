#!/usr/bin/env bash
#
# Fetches Eldarica, a CHC solver in Java, for `fuzz_targets/chc_command.py` and `--cross`.
# `./fetch_eldarica.sh --help` says how to call it.
#
# Maven resolves Eldarica and what it needs from Maven Central, or from the mirror that its own settings name. One hash
# stands for all jars: of the list of their hashes. The result is renamed into place, so that it is whole or not there.

set -euo pipefail

# The hash of SHA256SUMS by release. None is pinned: no registry that this project reaches has Eldarica.
declare -rA KNOWN=()
readonly PLUGIN=org.apache.maven.plugins:maven-dependency-plugin:3.6.1
readonly PACKAGES=(default-jre-headless maven)

version=2.2.1
sha256=
unpinned=
install_deps=

usage() {
    printf '%s\n' "usage: ./fetch_eldarica.sh [--version X.Y.Z] [--sha256 H | --unpinned] [--install-deps]

Fetches Eldarica from Maven Central into \${XDG_CACHE_HOME:-~/.cache}/chcfuzz/eldarica/VERSION, writes its
command eld there, and checks that it solves. Needs Java and Maven.

  --version X.Y.Z  the release (default $version)
  --sha256 H       the hash that the list of its jars must have
  --unpinned       take whatever Maven finds, and print that hash
  --install-deps   first install Java and Maven with apt (Debian, Ubuntu): ${PACKAGES[*]}

Started again it only checks what is there."
}

say() {
    printf 'fetch_eldarica.sh: %s\n' "$*" >&2
}

fail() {
    say "$1"
    exit "${2:-1}"
}

misused() {
    fail "$1 (see --help)" 2
}

parse_arguments() {
    while (($#)); do
        case $1 in
        --version | --sha256)
            [[ -n ${2-} ]] || misused "$1 needs a value"
            ;;&
        --version) version=$2 ;;
        --sha256) sha256=$2 ;;
        --unpinned) unpinned=1 ;;
        --install-deps) install_deps=1 ;;
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
    [[ $version =~ ^[0-9]+(\.[0-9]+){1,2}$ ]] || misused "--version '$version' is not of the form X.Y or X.Y.Z"
    [[ -z $sha256 || -z $unpinned ]] || misused "--sha256 and --unpinned exclude each other"
    [[ -z $sha256 || $sha256 =~ ^[0-9a-f]{64}$ ]] || misused "--sha256 '$sha256' is not 64 hexadecimal digits"
    sha256=${sha256:-${KNOWN[$version]-}}
    [[ -n $sha256$unpinned ]] ||
        misused "Eldarica $version is not pinned here: name the hash of its jars with --sha256, or say --unpinned"
}

install_packages() {
    command -v apt-get >/dev/null || fail "--install-deps knows apt only; install Java and Maven (${PACKAGES[*]})"
    local as_root=()
    if ((EUID != 0)); then
        command -v sudo >/dev/null || fail "--install-deps needs root or sudo to run: apt-get install ${PACKAGES[*]}"
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${PACKAGES[@]}" >&2
}

check_tools() {
    local missing=() tool
    for tool in java mvn sha256sum; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    ((${#missing[@]} == 0)) && return
    local list
    printf -v list '%s, ' "${missing[@]}"
    fail "missing: ${list%, }; get it with: ./fetch_eldarica.sh --install-deps (Debian, Ubuntu: apt-get install ${PACKAGES[*]})"
}

# Prints the one hash that stands for the jars in a folder.
hash_of_jars() {
    local line
    (cd "$1/lib" && LC_ALL=C sha256sum -- *.jar) >"$1/SHA256SUMS.new"
    line=$(sha256sum <"$1/SHA256SUMS.new")
    printf '%s' "${line%% *}"
}

fetch_jars() {
    local folder=$1
    printf '%s\n' '<project xmlns="http://maven.apache.org/POM/4.0.0">' \
        '<modelVersion>4.0.0</modelVersion><groupId>chcfuzz</groupId><artifactId>eldarica</artifactId>' \
        '<version>1</version><packaging>pom</packaging><dependencies><dependency>' \
        '<groupId>io.github.uuverifiers</groupId><artifactId>eldarica_2.13</artifactId>' \
        "<version>$version</version></dependency></dependencies></project>" >"$folder/pom.xml"
    say "fetching Eldarica $version with Maven"
    mvn --batch-mode --quiet --update-snapshots -Dstyle.color=never --file "$folder/pom.xml" "$PLUGIN:copy-dependencies" \
        -DincludeScope=runtime -DoutputDirectory="$folder/lib" >"$folder/mvn.log" 2>&1 || {
        local reason
        reason=$(sed -nE '/\[ERROR\] ./{s/.*\[ERROR\] //;s/.*eldarica:pom:1: //;s/ -> \[Help.*//;p;q}' "$folder/mvn.log")
        fail "Maven gave no Eldarica $version: ${reason:-no reason told}"
    }
}

write_command() {
    cat >"$1/eld" <<'END'
#!/bin/sh
# Eldarica, as ./fetch_eldarica.sh left it. ELD_JAVA_OPTIONS replaces the options of Java.
here=$(dirname "$(readlink -f "$0")")
exec java ${ELD_JAVA_OPTIONS:--Xss40m -Xmx3g} -cp "$here/lib/*" lazabs.Main "$@"
END
    chmod +x "$1/eld"
}

# Two systems of two clauses: one has a model, the other none.
self_check() {
    local folder=$1 query answer
    for query in 1 0; do
        printf '%s\n' '(set-logic HORN)' '(declare-fun p (Int) Bool)' '(assert (p 0))' \
            "(assert (=> (p $query) false))" '(check-sat)' >"$folder/check.smt2"
        answer=$("$folder/eld" -ssol "$folder/check.smt2" 2>&1) || true
        rm -f "$folder/check.smt2"
        if ((query == 1)); then
            [[ $answer == sat*'(define-fun p '* ]] || fail "Eldarica $version finds no model of p(0): ${answer%%$'\n'*}"
        else
            [[ $answer == unsat* ]] || fail "Eldarica $version does not refute p(0), not p(0): ${answer%%$'\n'*}"
        fi
    done
}

main() {
    parse_arguments "$@"
    [[ -z $install_deps ]] || install_packages
    check_tools
    local cache=${XDG_CACHE_HOME:-$HOME/.cache}/chcfuzz/eldarica found
    local result=$cache/$version
    mkdir -p "$cache"
    if [[ -f $result/SHA256SUMS ]]; then
        temporary=$result
    else
        temporary=$(mktemp -d "$cache/.$version-XXXXXX")
        trap 'rm -rf "$temporary"' EXIT
        fetch_jars "$temporary"
    fi
    found=$(hash_of_jars "$temporary")
    [[ -n $unpinned || $found == "$sha256" ]] ||
        fail "the jars of Eldarica $version in $temporary have the hash $found, not $sha256"
    write_command "$temporary"
    self_check "$temporary"
    mv "$temporary/SHA256SUMS.new" "$temporary/SHA256SUMS"
    if [[ $temporary != "$result" ]]; then
        chmod 755 "$temporary"
        mv -T "$temporary" "$result"
        trap - EXIT
    fi
    [[ -z $unpinned ]] || say "pin it with: --sha256 $found"
    say "done: $result/eld"
}

main "$@"
exit
