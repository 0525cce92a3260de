# A private apt below a directory, for scripts that take packages without touching the
# system. To be sourced.
#
#   apt_below DIR                sets apt_options, which keep everything that apt writes in DIR
#   apt_for_sources DIR [SUITE…] takes source packages, of this machine's own suites or of others
#   apt_for_suites DIR SUITE…    takes packages of other suites from this machine's servers
#
# The last two write package sources into DIR; `apt-get "${apt_options[@]}" update` comes next.

apt_below() { # apt_below DIR
    mkdir -p "$1"/{lists,cache/archives}/partial "$1/state" "$1/sources"
    # Nothing counts as installed, so every library comes along.
    : >"$1/state/status"
    apt_options=(
        -q -o "Dir::State=$1/state" -o "Dir::State::status=$1/state/status"
        -o "Dir::State::lists=$1/lists" -o "Dir::Cache=$1/cache"
        -o "Dir::Etc::sourcelist=/dev/null" -o "Dir::Etc::sourceparts=$1/sources"
        -o "APT::Sandbox::User=$(id -un)" -o "Acquire::Languages=none"
        # Some systems keep lists compressed; ours are read as text.
        -o "Acquire::GzipIndexes=false"
    )
}

# The system's package sources in the newer format, if it has them.
apt_system_sources() {
    local file
    for file in /etc/apt/sources.list.d/{debian,ubuntu}.sources; do
        if [ -f "$file" ]; then
            echo "$file"
            return
        fi
    done
}

apt_for_sources() { # apt_for_sources DIR [SUITE…]
    local file
    if [ $# -gt 1 ]; then
        apt_for_suites "$@"
    else
        rm -f "$1"/sources/*
        file=$(apt_system_sources)
        if [ -n "$file" ]; then
            cp "$file" "$1/sources/private.sources"
        else
            cp /etc/apt/sources.list "$1/sources/private.list"
        fi
    fi
    sed -i -e 's/^Types:.*/Types: deb-src/' -e '/^deb-src /d' -e 's/^deb /deb-src /' "$1"/sources/*
}

# Security and update suites have no counterpart in other suites, so only the first of the
# system's sources counts.
apt_for_suites() { # apt_for_suites DIR SUITE…
    local to=$1/sources file line suite
    shift
    rm -f "$to"/*
    file=$(apt_system_sources)
    if [ -n "$file" ]; then
        sed '/^$/,$d' "$file" | sed "s/^Suites:.*/Suites: $*/" >"$to/private.sources"
        return
    fi
    line=$(grep -m1 '^deb ' /etc/apt/sources.list || true)
    if [ -z "$line" ]; then
        echo "apt.sh: found no package source in /etc/apt" >&2
        return 1
    fi
    for suite in "$@"; do
        sed -E "s/^(deb( +\[[^]]*\])? +[^ ]+) +[^ ]+ .*/\1 $suite main/" <<<"$line"
    done >"$to/private.list"
}
