#!/bin/sh
# Build the image with buildah, as root, without a Docker engine, and without an image registry if there is none: then the
# base is made of a Debian tree. Packages are fetched as apt and pip of this machine are configured.
#
#   deploy/image/build.sh [NAME]          NAME: localhost/driftwatch:test unless given
#
#   PYTHON_IMAGE=…    a base that buildah has or can fetch, instead of making one
#   DEBIAN_SUITE=…    what the base is made of: trixie
#   DEBIAN_MIRROR=…   from where; else as apt of this machine is configured, else as debootstrap
#   STORAGE=…         a folder for images; else where buildah keeps them
set -eu

name=${1:-localhost/driftwatch:test}
suite=${DEBIAN_SUITE:-trixie}
base=${PYTHON_IMAGE:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
stay=""
[ -z "${STORAGE:-}" ] || stay="--root $STORAGE/images --runroot $STORAGE/run"

missing() {
    echo "The image cannot be built here: $1" >&2
    exit 69
}

engine() {
    # shellcheck disable=SC2086 # two words or none
    buildah $stay --storage-driver vfs "$@"
}

command -v buildah >/dev/null || missing "buildah is not installed (apt install buildah)."
[ "$(id -u)" = 0 ] || missing "chroot isolation needs root."

scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch"' EXIT

if [ -z "$base" ]; then
    base=localhost/python-$suite
    if ! engine inspect --type image "$base" >/dev/null 2>&1; then
        command -v debootstrap >/dev/null || missing "debootstrap is not installed, and PYTHON_IMAGE names no base."
        # shellcheck disable=SC2016 # apt's own words, not the shell's
        mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)}
        echo "Making a base of Debian $suite" >&2
        # shellcheck disable=SC2086 # one word or none
        debootstrap --variant=minbase --include=ca-certificates,python3,python3-venv "$suite" "$scratch/tree" \
            $mirror >"$scratch/log" 2>&1 || { tail -n 5 "$scratch/log" >&2; missing "debootstrap failed."; }
        # As slim images do: what apt fetched, and documentation, are not kept.
        rm -rf "$scratch"/tree/var/cache/apt/* "$scratch"/tree/var/lib/apt/lists/* "$scratch"/tree/var/log/* \
            "$scratch"/tree/usr/share/doc/* "$scratch"/tree/usr/share/man/* "$scratch"/tree/usr/share/locale/*
        container=$(engine from scratch)
        engine add --quiet "$container" "$scratch/tree" / >/dev/null
        engine config --cmd python3 "$container"
        engine commit --quiet --rm "$container" "$base" >/dev/null
    fi
fi

# What pip is told on this machine, in one file, with its certificates at the place that the Dockerfile gives them.
python3 -m pip config list 2>/dev/null | python3 -c '
import ast, os, sys
options = dict(line.strip().partition("=")[::2] for line in sys.stdin)
named = {key.rpartition(".")[2]: ast.literal_eval(value) for key, value in options.items()}
bundle = named.get("cert", "")
kept = [key for key in ("index-url", "trusted-host", "proxy", "timeout") if key in named]
with open(sys.argv[1] + "/pip.conf", "w") as conf, open(sys.argv[1] + "/ca.pem", "w") as ca:
    print("[global]", *(f"{key} = {named[key]}" for key in kept), sep="\n", file=conf)
    if os.path.isfile(bundle):
        print("cert = /run/secrets/pip-ca", file=conf)
        print(open(bundle).read(), file=ca)
' "$scratch"

revision=$(git -C "$root" describe --always --dirty --abbrev=40 --exclude '*' 2>/dev/null || true)
engine build --isolation chroot --format docker --network host --quiet --tag "$name" \
    --secret "id=pip,src=$scratch/pip.conf" --secret "id=pip-ca,src=$scratch/ca.pem" \
    --build-arg "PYTHON_IMAGE=$base" --build-arg "REVISION=$revision" "$root" >"$scratch/id"
echo "Built $name: $(cat "$scratch/id")" >&2
