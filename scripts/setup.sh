# shellcheck shell=sh
# What ./quickstart and ./check share: finding what is missing and fetching it.
# Sourced by both, from the root of the checkout; plain POSIX sh.
#
# Every step first looks whether it is done, so a second run does nothing but look, and needs
# no network.

started=$(date +%s)

# One line about what happens now, with the seconds since the start.
say() {
    printf '[%4ds] %s\n' "$(($(date +%s) - started))" "$*"
}

# Stops the program: what failed, then what to do about it, a line each.
stop() {
    printf '\nStopped: %s\n' "$1" >&2
    shift
    for line in "$@"; do
        printf '  %s\n' "$line" >&2
    done
    exit 1
}

# --- Debian packages -------------------------------------------------------------------------

# Whether what a package is wanted for works. The thing itself is tried, not the package list: a
# compiler or a pip from elsewhere is as good, and then nothing is installed.
package_serves() {
    case $1 in
    build-essential) compiler_links ;;
    ca-certificates) [ -s "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" ] ;;
    python3) python3 -c 'import sys, zipfile; sys.exit(sys.version_info < (3, 8))' >/dev/null 2>&1 ;;
    python3-pip) python3 -m pip --version >/dev/null 2>&1 ;;
    python3-venv) python3 -c 'import venv, ensurepip' >/dev/null 2>&1 ;;
    poppler-utils) command -v pdftotext >/dev/null 2>&1 ;;
    *) [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ;;
    esac
}

# The linker and the C headers are wanted: rustc links through `cc`, and SQLite is compiled.
compiler_links() {
    command -v cc >/dev/null 2>&1 || return 1
    probe=$(mktemp -d) || return 1
    printf '#include <stdio.h>\nint main(void) { return puts("") < 0; }\n' >"$probe/probe.c"
    if cc -o "$probe/probe" "$probe/probe.c" >/dev/null 2>&1; then linked=0; else linked=1; fi
    rm -rf "$probe"
    return "$linked"
}

# Installs those of the named packages that are missing, or stops and names them.
need_packages() {
    missing=
    for package in "$@"; do
        package_serves "$package" || missing="$missing $package"
    done
    missing=${missing# }
    if [ -z "$missing" ]; then
        say "Debian packages: nothing is missing"
        return
    fi

    by_hand="apt-get update && apt-get install --no-install-recommends $missing"
    command -v apt-get >/dev/null 2>&1 || stop \
        "missing: $missing (names of Debian packages), and this system has no apt-get." \
        "Install what these packages hold with your system's own tool, then run this again."
    as_root=$(find_root "$missing") || exit 1

    say "Debian packages: installing $missing"
    # Word splitting is meant: $as_root is empty or a command with an option.
    # shellcheck disable=SC2086
    install_packages $missing || stop \
        "apt-get could not install: $missing (its own words are above)." \
        "This step needs the network, once. To do it by hand, as root:" \
        "$by_hand"

    for package in $missing; do
        package_serves "$package" || stop \
            "$package is installed, but what it is wanted for still does not work." \
            "Look at the output above, or try: apt-get install --reinstall $package"
    done
}

# Prints the words to put before a command that root must run; nothing when we are root.
find_root() {
    if [ "$(id -u)" -eq 0 ]; then
        return 0
    fi
    if command -v sudo >/dev/null 2>&1; then
        if sudo -n true >/dev/null 2>&1; then
            echo "sudo -n"
            return 0
        fi
        # A person at the terminal can type the password.
        if [ -t 0 ] && [ -t 2 ]; then
            echo "sudo"
            return 0
        fi
    fi
    stop "these Debian packages are missing: $1" \
        "You are not root here and sudo is not to be had, so nothing was installed or changed." \
        "Ask someone who may to run:" \
        "apt-get update && apt-get install --no-install-recommends $1" \
        "Then run this again."
}

# apt-get is long-winded; its words are shown only when it fails.
install_packages() {
    words=$(mktemp) || return 1
    # shellcheck disable=SC2086
    if $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 update \
        >"$words" 2>&1 &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 \
            -o Dpkg::Use-Pty=0 install --no-install-recommends "$@" >>"$words" 2>&1 </dev/null; then
        rm -f "$words"
    else
        cat "$words" >&2
        rm -f "$words"
        return 1
    fi
}

# --- Rust ------------------------------------------------------------------------------------

# Finds cargo and rustc and checks their version against `rust-version` in Cargo.toml. There is
# no toolchain file: any toolchain that is new enough will do.
need_rust() {
    wanted=$(sed -n 's/^rust-version = "\([0-9.]*\)".*/\1/p' Cargo.toml)
    if ! command -v cargo >/dev/null 2>&1; then
        # rustup puts cargo there; a shell opened before it was installed does not know yet.
        PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
        export PATH
    fi
    for tool in cargo rustc; do
        command -v "$tool" >/dev/null 2>&1 || stop \
            "no Rust toolchain: \`$tool\` is not on the PATH nor in ${CARGO_HOME:-$HOME/.cargo}/bin." \
            "Install Rust $wanted or newer (https://rustup.rs) and run this again."
    done
    found=$(rustc --version 2>/dev/null) || stop \
        "\`rustc --version\` fails, so there is no toolchain that works." \
        "With rustup, try: rustup default stable"
    version=$(printf '%s\n' "$found" | sed 's/^rustc \([0-9]*\.[0-9]*\).*/\1/')
    at_least "$version" "$wanted" || stop \
        "$found is too old: Lahar needs Rust $wanted or newer." \
        "With rustup, try: rustup update stable"
    say "Rust: $found"
}

# at_least 1.95 1.90: whether the first version is not older than the second.
at_least() {
    [ "${1%%.*}" -gt "${2%%.*}" ] && return 0
    [ "${1%%.*}" -eq "${2%%.*}" ] || return 1
    minor_found=${1#*.}
    minor_wanted=${2#*.}
    [ "${minor_found%%.*}" -ge "${minor_wanted%%.*}" ]
}

# rustfmt and clippy, which only ./check wants.
need_rust_components() {
    for component in fmt clippy; do
        cargo "$component" --version >/dev/null 2>&1 || stop \
            "\`cargo $component\` is missing from the Rust toolchain." \
            "With rustup, try: rustup component add rustfmt clippy" \
            "On Debian's own Rust: apt-get install rustfmt rust-clippy"
    done
}

# --- Crates and the build folder ---------------------------------------------------------------

# The build goes to a cache outside the checkout, so that a new clone need not begin anew and
# the checkout stays small. LAHAR_CACHE moves it, CARGO_TARGET_DIR decides over both.
choose_build_folder() {
    cache=${LAHAR_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/lahar}
    case $cache in
    /*) ;;
    *) cache=$PWD/$cache ;;
    esac
    CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$cache/target}
    export CARGO_TARGET_DIR
    mkdir -p "$cache" "$CARGO_TARGET_DIR" || stop \
        "the build folder $CARGO_TARGET_DIR cannot be made." \
        "Set LAHAR_CACHE to a folder that you may write to."
    say "Build folder: $CARGO_TARGET_DIR"
}

# Fetches the crates of Cargo.lock unless all are here. After it every cargo command runs with
# --offline.
need_crates() {
    # Used by ./check too.
    host=$(rustc -vV | sed -n 's/^host: //p')
    if cargo metadata --locked --offline --format-version 1 --filter-platform "$host" \
        --features lahar/network \
        >/dev/null 2>&1; then
        say "Crates: all are here"
        return
    fi
    say "Crates: fetching those of Cargo.lock"
    cargo fetch --locked --target "$host" || stop \
        "cargo could not fetch the crates (its own words are above)." \
        "This step needs the network, once; with it, run this again." \
        "If the words above are about the lock file, Cargo.lock does not fit the manifests:" \
        "run \`cargo metadata >/dev/null\` and commit the Cargo.lock that it leaves."
}
