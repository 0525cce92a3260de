#!/usr/bin/env bash
# Runs the README's commands as written in a Debian that has just been made, as a
# newcomer would: a chroot with nothing but gcc, make and git, a cargo with an empty
# home, and a clone of what is committed here. Needs root.
#
#   scripts/fresh.sh        all commands but `make test`
#   scripts/fresh.sh all    that, too
#
# Where packages come from (apt's configuration, proxies, certificates, cargo's
# configuration) is taken from this machine when it runs.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(id -u)" -ne 0 ]; then
    echo "a chroot needs root" >&2
    exit 1
fi

# What is mounted is seen by the inner one of two runs only, so that the outer one can
# remove everything whatever happens.
if [ "${1:-}" != --inside ]; then
    if ! command -v debootstrap >/dev/null; then
        apt-get update -q >&2
        DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
            debootstrap >&2
    fi
    work=$(mktemp -d)
    trap 'rm -rf --one-file-system "$work"' EXIT
    unshare --mount --propagation private scripts/fresh.sh --inside "$work" "${1:-}"
    exit
fi
work=$2
what=$3
root=$work/root
started=$SECONDS
tell() { echo "== $((SECONDS - started)) s: $*"; }

mount_at() { # mount_at /place arguments of mount…
    local at=$1
    shift
    mkdir -p "$root$at"
    mount "$@" "$root$at"
}

carry() { # the same file or directory in the new system
    if [ -e "$1" ]; then
        mkdir -p "$root$(dirname "$1")"
        rm -rf "${root:?}$1"
        cp -aL "$1" "$root$1"
    fi
}

# Packages come from where this system's come from.
. /etc/os-release
mirror=$(apt-get indextargets --format '$(SITE) $(CODENAME) $(COMPONENT)' |
    awk -v name="$VERSION_CODENAME" '$2 == name && $3 == "main" { print $1; exit }')
proxy=$(apt-config shell proxy Acquire::http::Proxy)
eval "$proxy"
tell "making $PRETTY_NAME"
mkdir "$root"
http_proxy=${http_proxy:-${proxy:-}} debootstrap --variant=minbase \
    --include=gcc,libc6-dev,make,git,ca-certificates "$VERSION_CODENAME" "$root" "$mirror" \
    >"$work/debootstrap.log" 2>&1 || {
    tail -20 "$work/debootstrap.log" >&2
    exit 1
}
for path in /etc/apt /etc/resolv.conf /etc/hosts /etc/ssl/certs /usr/share/keyrings \
    /usr/local/share/ca-certificates; do
    carry "$path"
done

# The cargo of this machine, with a home that is empty but for where crates come from.
home=${CARGO_HOME:-$HOME/.cargo}
mkdir -p "$root/root/.cargo"
for file in config config.toml; do
    if [ -f "$home/$file" ]; then cp "$home/$file" "$root/root/.cargo/$file"; fi
done

environment=(HOME=/root LANG=C.UTF-8 "TERM=${TERM:-dumb}"
    PATH=/opt/rust/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
while IFS='=' read -r name value; do
    case $name in
    *_proxy | *_PROXY | SSL_CERT_FILE | SSL_CERT_DIR | CURL_CA_BUNDLE | GIT_SSL_CAINFO | \
        CARGO_HTTP_* | CARGO_REGISTRIES_* | CARGO_SOURCE_* | CARGO_NET_*)
        environment+=("$name=$value")
        case $value in /*) carry "$value" ;; esac
        ;;
    esac
done < <(env)

# A root that is a mount of its own, since a test makes mounts, too.
mount --bind "$root" "$root"
mount_at /proc -t proc proc
mount_at /dev --rbind /dev
mount_at /opt/rust --bind -o ro "$(rustc --print sysroot)"
git clone -q --no-local . "$root/root/mestra"
tell "a clone of $(git -C "$root/root/mestra" log -1 --format='%h %s')"

inside() {
    chroot "$root" env -i "${environment[@]}" sh -c 'cd ~/mestra && exec sh -c "$1"' sh "$1"
}

# The commands of the README's blocks of shell, one a line.
awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside && NF' \
    "$root/root/mestra/README.md" >"$work/commands"
count=0
while IFS= read -r -u 3 line; do
    case $line in
    "make test"*)
        if [ "$what" != all ]; then
            tell "left out: $line"
            continue
        fi
        ;;
    esac
    tell "$line"
    status=0
    inside "$line" </dev/null >"$work/output" 2>&1 || status=$?
    tail -5 "$work/output" | sed 's/^/   /'
    # Findings are what campaigns are for.
    if [ "$status" -ne 0 ] && ! { [ "$status" -eq 2 ] && [[ $line == *"mestra campaign"* ]]; }; then
        cat "$work/output" >&2
        echo "failed with $status: $line" >&2
        exit 1
    fi
    count=$((count + 1))
done 3<"$work/commands"
tell "$count commands of the README ran as written"
