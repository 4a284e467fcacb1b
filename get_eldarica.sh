#!/usr/bin/env bash
#
# Compiles Eldarica, a CHC solver in Scala, for `fuzz_targets/chc_command.py` and `--cross`.
# `./get_eldarica.sh --help` says how to call it.
#
# No registry has Eldarica's own jar. Its compiler and its libraries are in Maven Central, or in the mirror that Maven's
# settings name: one hash stands for all of their jars. The result is renamed into place, so that it is whole or not there.

set -euo pipefail

HERE=$(cd "${BASH_SOURCE[0]%"${BASH_SOURCE[0]##*/}"}." && pwd)
readonly HERE
# shellcheck source=build_common.sh
. "$HERE/build_common.sh"

readonly REPOSITORY=https://github.com/uuverifiers/eldarica.git
readonly COMMIT=1b3d6c657233cd418525e51f97c2feedec30726d # of its branch scala-2.13
# What Eldarica is compiled with, and what it runs with. Central has no Princess for Scala 2.12, which master wants, and
# not the day that build.sbt of this branch names.
readonly SCALA=2.13.18
readonly TOOLS=("org.scala-lang:scala-compiler:$SCALA" de.jflex:jflex:1.9.1 com.github.vbmacher:java-cup:11b-20160615-2)
readonly LIBRARIES=(io.github.uuverifiers:princess_2.13:2026-05-20 "org.scala-lang:scala-library:$SCALA"
    org.scala-lang.modules:scala-parser-combinators_2.13:2.4.0 com.github.vbmacher:java-cup-runtime:11b-20160615-2
    org.antlr:antlr:3.3)
readonly PINNED=d4ba387002551d38ae0d7fd031052ca5da84afe290b3044f060942311a6fb61a # hash of the list of hashes of all these jars
readonly JAVA_OPTIONS='-Xss20m -XX:+UseSerialGC -XX:TieredStopAtLevel=1' # a deep recursion, and little to start with
readonly PLUGIN=org.apache.maven.plugins:maven-dependency-plugin:3.6.1
readonly PACKAGES=(default-jdk-headless maven)
readonly COMPILED=(src/main flata template-parser) # what is made of the source depends on these of its folders

sources=()
prefix=
sha256=$PINNED
install_deps=

usage() {
    printf '%s\n' "usage: ./get_eldarica.sh [--source DIR|ARCHIVE]... [--prefix DIR] [--sha256 H | --unpinned] [--install-deps]

Compiles Eldarica and checks that it solves. Takes two minutes of processor time, 300 MB of disk while it works, and
fetches 60 MB of compiler and libraries with Maven. Needs a JDK of version 17 or later and Maven.

  --source DIR|ARCHIVE  its source: a checkout, or an archive of a release or a commit; given again, further parts of
                        the same tree. Default: commit ${COMMIT:0:12} of its branch scala-2.13, with git
  --prefix DIR          where the result goes: eld, eld-server, lib/*.jar, BUILD_INFO (default: a folder a version in
                        \${XDG_CACHE_HOME:-~/.cache}/chcfuzz/eldarica, and 'current' there leads to it)
  --sha256 H            the hash that the list of all jars from Maven must have (default: a pinned one)
  --unpinned            take whatever Maven gives, and print that hash
  --install-deps        first install what is missing with apt (Debian, Ubuntu): ${PACKAGES[*]}

It can be interrupted: the same command goes on where it stopped. A further one only checks what is there."
}

parse_arguments() {
    local pinned_by=
    while (($#)); do
        case $1 in
        --source | --prefix | --sha256)
            [[ -n ${2-} ]] || misused "$1 needs a value"
            ;;&
        --source) sources+=("$2") ;;
        --prefix) prefix=$2 ;;
        --sha256) sha256=$2 pinned_by+=1 ;;
        --unpinned) sha256='' pinned_by+=1 ;;
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
    ((${#pinned_by} < 2)) || misused "--sha256 and --unpinned exclude each other"
    [[ -z $sha256 || $sha256 =~ ^[0-9a-f]{64}$ ]] || misused "--sha256 '$sha256' is not 64 hexadecimal digits"
    local each
    for each in "${sources[@]}"; do
        [[ -e $each ]] || misused "--source '$each' is not there"
        [[ ! -d $each || ${#sources[@]} == 1 ]] || misused "--source '$each' is a folder, and has to be the only source"
    done
}

check_tools() {
    local missing=() tool
    for tool in java javac mvn tar sha256sum flock; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    ((${#missing[@]} == 0)) || fail_for_missing "${missing[@]}" -- "${PACKAGES[@]}"
}

# Sets `source` to a folder with Eldarica's tree, `source_key` to its contents' hash, and `version`.
prepare_source() {
    local unpacked
    if ((${#sources[@]} == 0)); then
        source=$cache/source/${COMMIT:0:12}
        fetch_commit "$REPOSITORY" "$COMMIT" "$source"
    elif [[ -d ${sources[0]} ]]; then
        source=$(cd "${sources[0]}" && pwd)
    else
        unpacked=$cache/source/archive-$(cat "${sources[@]}" | sha256_of - | cut -c1-12)
        unpack "$unpacked" "${sources[@]}"
        source=$(root_with "$unpacked" src/main) || source=$unpacked
    fi
    local main=src/main/scala/lazabs/Main.scala
    [[ -f $source/$main ]] || misused "--source '${sources[*]}' is not Eldarica: it has no $main"
    [[ -f $source/flata/flata.jar && -d $source/template-parser ]] ||
        misused "--source '${sources[*]}' has not the jars of Eldarica's tree, flata and template-parser"
    version=$(sed -nE 's/.*"Eldarica v([0-9][^\\ "]*).*/\1/p' "$source/$main")
    [[ -n $version ]] || misused "--source '${sources[*]}' does not say its version in $main"
    source_key=$(contents_key "$source" "${COMPILED[@]}")
}

dependency() {
    local group artifact number
    IFS=: read -r group artifact number <<<"$1"
    printf '<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>' \
        "$group" "$artifact" "$number"
}

# Puts the jars of some artifacts and of what they need into a folder.
fetch_jars() {
    local name=$1 folder=$2 artifact reason
    shift 2
    {
        printf '%s' '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>' \
            "<groupId>chcfuzz</groupId><artifactId>$name</artifactId><version>1</version><packaging>pom</packaging><dependencies>"
        for artifact; do dependency "$artifact"; done
        printf '</dependencies></project>\n'
    } >"$folder/$name.xml"
    mvn --batch-mode --quiet -Dstyle.color=never --file "$folder/$name.xml" "$PLUGIN:copy-dependencies" \
        -DincludeScope=runtime -DoutputDirectory="$folder/$name" >"$folder/$name.log" 2>&1 || {
        reason=$(sed -nE "/\[ERROR\] ./{s/.*\[ERROR\] //;s/.*$name:pom:1: //;s/ -> \[Help.*//;p;q}" "$folder/$name.log")
        fail "Maven gives no $name: ${reason:-no reason told}"
    }
}

# Sets `jars` to a folder with the jars from Maven: `tools` and `libraries`.
prepare_jars() {
    jars=$cache/jars/$(printf '%s\n' "${TOOLS[@]}" "${LIBRARIES[@]}" | sha256_of - | cut -c1-12)
    if [[ ! -f $jars/SHA256SUMS ]]; then
        say "fetching Scala $SCALA and the libraries with Maven (60 MB)"
        rm -rf "$jars.partial"
        mkdir -p "$jars.partial"
        fetch_jars tools "$jars.partial" "${TOOLS[@]}"
        fetch_jars libraries "$jars.partial" "${LIBRARIES[@]}"
        rm -rf "$jars"
        mv "$jars.partial" "$jars"
    fi
    (cd "$jars" && LC_ALL=C sha256sum -- libraries/*.jar tools/*.jar) >"$jars/SHA256SUMS.new"
    local found
    found=$(sha256_of "$jars/SHA256SUMS.new")
    [[ -z $sha256 || $found == "$sha256" ]] ||
        fail "the jars from Maven in $jars have the hash $found, not $sha256"
    mv "$jars/SHA256SUMS.new" "$jars/SHA256SUMS"
    [[ -n $sha256 ]] || say "pin the jars with: --sha256 $found"
}

# The jars of a folder and of those below it, in one order, with colons between them.
class_path() {
    find "$@" -name '*.jar' | LC_ALL=C sort | paste -sd :
}

compile() {
    local into=$1 generated=$1/generated folder name started=$SECONDS run
    run=$(class_path "$jars/libraries" "$source/flata" "$source/template-parser")
    mkdir -p "$generated" "$into/classes" "$into/lib"
    say "compiling Eldarica $version (two minutes of processor time)"
    for folder in parser horn/parser; do
        name=$source/src/main/scala/lazabs/$folder
        mkdir -p "$generated/$folder"
        java -cp "$(class_path "$jars/tools")" jflex.Main -d "$generated/$folder" --nobak "$name"/*.jflex
        java -cp "$(class_path "$jars/tools")" java_cup.Main -destdir "$generated/$folder" -parser Parser -symbols Symbols \
            "$name"/*.cup
    done >"$into/generate.log" 2>&1 || fail "JFlex or CUP failed, see $into/generate.log"
    find "$source/src/main" "$generated" \( -name '*.scala' -o -name '*.java' \) | LC_ALL=C sort >"$into/files"
    # Scala reads the generated Java, whose classes javac makes afterwards.
    java -Xss20m -Xmx2g -cp "$(class_path "$jars/tools"):$run" scala.tools.nsc.Main -usejavacp -nowarn \
        -language:implicitConversions,postfixOps,reflectiveCalls -d "$into/classes" "@$into/files" \
        >"$into/scalac.log" 2>&1 || fail "scalac failed, see $into/scalac.log"
    grep '\.java$' "$into/files" >"$into/java-files"
    javac -nowarn -encoding UTF-8 -cp "$into/classes:$run" -d "$into/classes" "@$into/java-files" >"$into/javac.log" 2>&1 ||
        fail "javac failed, see $into/javac.log"
    (cd "$into/classes" && jar --create --file "$into/lib/eldarica.jar" ./*)
    find "$jars/libraries" "$source/flata" "$source/template-parser" -name '*.jar' -exec cp {} "$into/lib" \;
    compile_seconds=$((SECONDS - started))
}

# The commands. Java starts in half the time with an archive of what it loads; that depends on the order of the jars.
write_commands() {
    local command class
    for command in eld eld-server; do
        class=Main
        [[ $command == eld ]] || class=ServerMain
        cat >"$1/$command" <<END
#!/bin/sh
# Eldarica $version, as ./get_eldarica.sh left it. ELD_JAVA_OPTIONS replaces the options of Java.
here=\$(dirname "\$(readlink -f "\$0")")
archive=-Xshare:auto
[ ! -f "\$here/eldarica.jsa" ] || archive=-XX:SharedArchiveFile=\$here/eldarica.jsa
for jar in $(cd "$1/lib" && printf '%s ' *.jar); do jars=\$jars\${jars:+:}\$here/lib/\$jar; done
exec java \${ELD_JAVA_OPTIONS:-$JAVA_OPTIONS -Xmx3g} "\$archive" -cp "\$jars" lazabs.$class "\$@"
END
        chmod +x "$1/$command"
    done
}

# Made where the jars will stay, since it knows them by their paths.
write_archive() {
    local folder=$1 file
    file=$(mktemp -d)
    write_check sat "$file/check.smt2"
    rm -f "$folder/eldarica.jsa"
    ELD_JAVA_OPTIONS="-XX:ArchiveClassesAtExit=$folder/eldarica.new $JAVA_OPTIONS" \
        "$folder/eld" -ssol "$file/check.smt2" >/dev/null 2>&1 || true
    [[ ! -f $folder/eldarica.new ]] || mv "$folder/eldarica.new" "$folder/eldarica.jsa"
    rm -r "$file"
}

# What is quickly made of the jars, and the check that they solve.
finish() {
    write_commands "$1"
    [[ -f $1/eldarica.jsa ]] || write_archive "$1"
    solves "Eldarica $version" "$1/eld" -ssol
}

main() {
    parse_arguments "$@"
    if [[ -n $install_deps ]] && ! (check_tools) 2>/dev/null; then
        install_with_apt "install a JDK and Maven" "${PACKAGES[@]}"
    fi
    check_tools
    cache=$(cache_of eldarica)
    mkdir -p "$cache/source"
    prepare_source
    local key result=${prefix:-$cache/$version-${source_key:0:8}}
    [[ $result == /* ]] || result=$PWD/$result
    prepare_jars
    key=$(printf '%s\n' "$source_key" "$(sha256_of "$jars/SHA256SUMS")" | sha256_of -)
    if [[ ! -f $result/BUILD_INFO || $(<"$result/BUILD_INFO") != *"key=$key"* ]]; then
        local work=$cache/build/$key
        lock_folder "$work"
        rm -rf "$work/made"
        compile "$work/made"
        mkdir -p "$result"
        rm -rf "${result:?}/BUILD_INFO" "$result/lib" "$result/eldarica.jsa"
        mv "$work/made/lib" "$result/lib"
        finish "$result"
        printf '%s\n' "version=$version" "key=$key" "source=$source" "compile_seconds=$compile_seconds" >"$result/BUILD_INFO.new"
        mv "$result/BUILD_INFO.new" "$result/BUILD_INFO"
        rm -rf "$work"
    else
        say "$result is up to date"
        finish "$result"
    fi
    [[ -n $prefix ]] || ln -sfn "${result##*/}" "$cache/current"
    say "done: $result/eld"
}

main "$@"; exit # one line: Bash has read it whole when somebody edits this file while it works
