#!/bin/sh
# Fetches repositories to measure and test on, by name and version from the usual package registries, each into
# corpora/<language>/<name> with one commit of its own. What is there already is left alone. A registry that cannot be
# reached costs only its own corpora.
#
#   benches/corpora.sh [FOLDER]
set -u
mkdir -p "${1:-corpora}" || exit 1
root=$(cd "${1:-corpora}" && pwd)
scratch=$(mktemp -d) && trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT

# Whether a corpus is still to be fetched; sets `into` and an empty folder `box`.
wanted() {
    into=$root/$1 box=$scratch/$(echo "$1" | tr / -)
    [ ! -d "$into/.git" ] && rm -rf "$into" && mkdir -p "$box" "$(dirname "$into")"
}

missing() { echo "not fetched: ${into#"$root"/}" >&2; rm -rf "$into"; }

keep() {
    chmod -R u+w "$into" && cd "$into" && git init -q -b main && git add -Af . >/dev/null 2>&1 &&
        git -c user.name=corpora -c user.email=corpora@localhost commit -qm "As published" && cd "$root" || missing
}

python_package() {
    wanted "py/$1" || return 0
    pip download -q --no-deps --no-binary "$1" -d "$box" "$1==$2" && mkdir -p "$into" &&
        tar xzf "$box"/*.tar.gz -C "$into" --strip-components=1 || { missing; return; }
    keep
}

node_package() { # the folder that holds its source is third
    wanted "ts/$1" || return 0
    (cd "$box" && npm pack --silent "$1@$2" >/dev/null && tar xzf ./*.tgz) && mkdir -p "$into" &&
        cp -R "$box/package/$3" "$box/package/package.json" "$into/" || { missing; return; }
    keep
}

rust_crate() {
    wanted "rust/$1" || return 0
    mkdir "$box/src" && echo 'fn main() {}' >"$box/src/main.rs" &&
        printf '[package]\nname = "box"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n%s = "=%s"\n' "$1" "$2" \
            >"$box/Cargo.toml" && (cd "$box" && cargo vendor -q >/dev/null 2>&1) &&
        cp -R "$box/vendor/$1" "$into" && rm -f "$into/.cargo-checksum.json" || { missing; return; }
    keep
}

go_module() {
    wanted "go/$(basename "$1")" || return 0
    from=$(cd "$box" && go mod download -json "$1@$2" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p') && [ -d "$from" ] &&
        cp -R "$from" "$into" || { missing; return; }
    keep
}

java_sources() {
    wanted "java/$2" || return 0
    mvn -q dependency:copy -Dartifact="$1:$2:$3:jar:sources" -DoutputDirectory="$box" >/dev/null 2>&1 &&
        mkdir -p "$into/src/main/java" && unzip -q "$box"/*.jar -d "$into/src/main/java" || { missing; return; }
    keep
}

c_sources() { # needs source packages among the machine's package sources
    wanted "c/$1" || return 0
    (cd "$box" && apt-get -qq source --download-only "$1" >/dev/null 2>&1) && mkdir -p "$into" &&
        tar xf "$(ls "$box"/*.orig.tar.* | grep -v asc | head -1)" -C "$into" --strip-components=1 || { missing; return; }
    keep
}

python_package django 4.2.16
python_package flask 3.1.0
python_package requests 2.32.3
python_package black 24.10.0
node_package rxjs 7.8.1 src
node_package zod 4.1.5 src
node_package three 0.169.0 src
rust_crate tokio 1.40.0
rust_crate regex-automata 0.4.7
rust_crate ignore 0.4.23
go_module k8s.io/client-go v0.31.1
go_module github.com/gin-gonic/gin v1.10.0
java_sources com.google.guava guava 33.3.0-jre
java_sources com.google.code.gson gson 2.11.0
c_sources redis
c_sources zlib
