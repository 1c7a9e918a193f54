#!/bin/sh
# Proves ./quickstart and ./check on a machine that has nothing but a Rust toolchain.
#
# usage: scripts/prove-in-chroot.sh [--shared DIR] [--only STAGE[,STAGE...]] FOLDER
#
#   FOLDER         where the chroots, logs and the table of times go; some 10 GB. Outside the
#                  checkout. A base system that is there already is used again.
#   --shared DIR   the shared corpus, bound read-only beside the clone in stage `shared`
#   --only         stages to run, of: user fresh offline shared sudo (default: all, in this order)
#
# The stages, each in a Debian 12 made by debootstrap (`--variant=minbase`), with a clone of
# this checkout's HEAD and the toolchain of ~/.rustup and ~/.cargo/bin bound in, nothing else of
# this machine but what makes its package sources work (apt sources, certificates, name servers,
# the environment variables of `registry_settings`):
#   user     an ordinary user without sudo and without the packages: both commands must exit
#            with 1, name the packages and change nothing
#   fresh    as root, for the first time, with network, without ../shared
#   offline  the same chroot again without network, without ../shared
#   shared   ./check once more without network, with ../shared read-only
#   sudo     an ordinary user who may use sudo without a password: ./quickstart, then once more
#            without network
#
# Needs root, debootstrap, and unshare (util-linux). Mounts are made in a namespace of their own
# and vanish with this script.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
shared=
stages=user,fresh,offline,shared,sudo
while [ $# -gt 1 ]; do
    case $1 in
    --shared) shared=$(cd "$2" && pwd) ;;
    --only) stages=$2 ;;
    *) break ;;
    esac
    shift 2
done
if [ $# -ne 1 ]; then
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p;}' "$0" >&2
    exit 2
fi
if [ "$(id -u)" -ne 0 ]; then
    echo "prove-in-chroot.sh makes chroots and mounts, so it must run as root." >&2
    exit 1
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)

# Everything below runs in a mount namespace of its own.
if [ "${LAHAR_PROOF_NAMESPACE-}" != "$$" ]; then
    LAHAR_PROOF_NAMESPACE=$$
    export LAHAR_PROOF_NAMESPACE
    if [ -n "$shared" ]; then set -- --shared "$shared"; else set --; fi
    exec unshare --mount --propagation private "$here/scripts/prove-in-chroot.sh" \
        "$@" --only "$stages" "$folder"
fi

logs=$folder/logs
times=$folder/times.txt
mkdir -p "$logs"
failed=0

# A Debian base system, made once; --variant=minbase has no compiler, no Python, no pip, no
# certificates.
make_base() {
    [ -e "$folder/base/.complete" ] && return
    rm -rf --one-file-system "$folder/base"
    debootstrap --variant=minbase bookworm "$folder/base" >"$logs/debootstrap.log" 2>&1
    touch "$folder/base/.complete"
}

# fresh_root NAME: a copy of the base with the package sources, the toolchain and a clone.
fresh_root() {
    root=$folder/$1
    rm -rf --one-file-system "$root"
    cp -a "$folder/base" "$root"

    # Package sources. Certificates go to where the package ca-certificates picks them up, so
    # that this package is still found to be missing.
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    rm -rf "$root/etc/apt/sources.list" "$root/etc/apt/sources.list.d"
    for part in sources.list sources.list.d auth.conf.d keyrings trusted.gpg.d; do
        [ -e "/etc/apt/$part" ] && cp -a "/etc/apt/$part" "$root/etc/apt/"
    done
    grep -l '^Acquire' /etc/apt/apt.conf.d/* 2>/dev/null |
        while read -r settings; do cp "$settings" "$root/etc/apt/apt.conf.d/"; done
    mkdir -p "$root/usr/local/share/ca-certificates"
    cp -a /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/"
    [ -e /etc/pip.conf ] && cp /etc/pip.conf "$root/etc/"

    useradd --root "$root" --create-home --shell /bin/sh visitor
    git clone --quiet --no-hardlinks "$here" "$root/srv/work/lahar"
    chown -R root:root "$root/srv/work"
    printf 'chroot %s: commit %s\n' "$1" "$(git -C "$here" rev-parse --short HEAD)" |
        tee -a "$times"
}

# enter_mounts NAME: what a running system has, and the toolchain of this machine's root for
# root and for visitor. Read-only, so that nothing in the chroot can lean on writing there.
enter_mounts() {
    root=$folder/$1
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    for home in root home/visitor; do
        mkdir -p "$root/$home/.cargo/bin" "$root/$home/.rustup"
        mount --bind -o ro "$HOME/.cargo/bin" "$root/$home/.cargo/bin"
        mount --bind -o ro "${RUSTUP_HOME:-$HOME/.rustup}" "$root/$home/.rustup"
        for settings in config.toml config; do
            [ -e "$HOME/.cargo/$settings" ] && cp "$HOME/.cargo/$settings" "$root/$home/.cargo/"
        done
    done
    chroot "$root" chown visitor:visitor /home/visitor/.cargo
}

# The variables of this machine that tell package clients where their registries are.
registry_settings() {
    env | grep -E '^(https?_proxy|HTTPS?_PROXY|no_proxy|NO_PROXY|PIP_(CERT|INDEX_URL|EXTRA_INDEX_URL|DEFAULT_TIMEOUT)|CARGO_(HTTP|NET|REGISTR)[A-Z_]*|SSL_CERT_(FILE|DIR)|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE|RUSTUP_AUTO_INSTALL)=' || :
}

# inside NETWORK USER NAME COMMAND: runs COMMAND in the clone in chroot NAME, with a bare
# environment. NETWORK is `on` or `off`; off leaves the loopback interface alone.
inside() {
    network=$1
    user=$2
    root=$folder/$3
    command=$4
    if [ "$user" = root ]; then home=/root; else home=/home/$user; fi
    set -- env -i "HOME=$home" "USER=$user" TERM=dumb LANG=C.UTF-8 \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    for setting in $(registry_settings); do
        set -- "$@" "$setting"
    done
    set -- chroot --userspec="$user:$user" "$root" "$@" sh -c "cd /srv/work/lahar && $command"
    if [ "$network" = off ]; then
        # shellcheck disable=SC2016
        set -- unshare --net sh -c 'ip link set lo up 2>/dev/null || :; exec "$@"' sh "$@"
    fi
    "$@" </dev/null
}

# Processor seconds, user and system, of everything this script has run so far.
processor_seconds() {
    # Into a file, since a pipe would ask a subshell that has run nothing.
    times >"$logs/times"
    awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); sum += 60 * t[1] + t[2] } }
        END { printf "%d", sum }' "$logs/times"
}

# timed LABEL WANTED_CODE NETWORK USER NAME COMMAND: runs, logs, notes seconds and exit code.
timed() {
    label=$1
    wanted=$2
    shift 2
    began=$(date +%s)
    processor_seconds >"$logs/before"
    code=0
    inside "$@" >"$logs/$label.log" 2>&1 || code=$?
    verdict=ok
    if [ "$code" -ne "$wanted" ]; then
        verdict="WRONG, wanted $wanted"
        failed=1
    fi
    wall=$(($(date +%s) - began))
    processor_seconds >"$logs/after"
    printf '%-24s %5ds wall %5ds processor  load %s  exit %d (%s)\n' "$label" "$wall" \
        "$(($(cat "$logs/after") - $(cat "$logs/before")))" "$(cut -d' ' -f1 /proc/loadavg)" \
        "$code" "$verdict" | tee -a "$times"
}

# expect LABEL TEXT: the log of a step must hold TEXT.
expect() {
    if ! grep -qF -- "$2" "$logs/$1.log"; then
        echo "$1: its output lacks: $2" | tee -a "$times"
        failed=1
    fi
}

wants() {
    case ,$stages, in *,"$1",*) return 0 ;; *) return 1 ;; esac
}

make_base
printf '%s, %s cores\n' "$(date -u +%Y-%m-%dT%H:%MZ)" "$(nproc)" | tee -a "$times"

if wants user; then
    fresh_root user
    enter_mounts user
    for name in quickstart check; do
        timed "user-$name" 1 on visitor user "./$name"
        expect "user-$name" "build-essential"
        expect "user-$name" "apt-get install"
        expect "user-$name" "nothing was installed or changed"
    done
    if [ -e "$folder/user/home/visitor/.cache/lahar" ]; then
        echo "user: a build folder was made although the packages were missing" | tee -a "$times"
        failed=1
    fi
fi

if wants fresh; then
    fresh_root first
    enter_mounts first
    timed fresh-quickstart 0 on root first ./quickstart
    timed fresh-check 0 on root first ./check
    expect fresh-check " 0 failed"
elif wants offline || wants shared; then
    enter_mounts first
fi

if wants offline; then
    timed offline-quickstart 0 off root first ./quickstart
    timed offline-check 0 off root first ./check
    expect offline-check " 0 failed"
fi

if wants shared && [ -n "$shared" ]; then
    mkdir -p "$folder/first/srv/work/shared"
    mount --bind -o ro "$shared" "$folder/first/srv/work/shared"
    timed shared-check 0 off root first ./check
    expect shared-check " 0 failed"
fi

if wants sudo; then
    fresh_root sudo
    enter_mounts sudo
    inside on root sudo "apt-get -qq update && apt-get -qq -y install sudo &&
        echo 'visitor ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/visitor &&
        chown -R visitor:visitor ." >"$logs/sudo-prepare.log" 2>&1
    timed sudo-quickstart 0 on visitor sudo ./quickstart
    timed sudo-offline-quickstart 0 off visitor sudo ./quickstart
fi

if [ "$failed" -eq 0 ]; then
    echo "proved: every step ended as it should; logs in $logs" | tee -a "$times"
else
    echo "NOT proved; logs in $logs" | tee -a "$times"
fi
exit "$failed"
