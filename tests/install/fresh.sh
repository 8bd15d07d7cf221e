#!/usr/bin/env bash
# What a newcomer's first commands do: in a fresh Debian or Ubuntu that holds its base alone, from the network, the
# commit that is checked out here, cloned; there ./check.sh runs, or COMMAND. Takes root and debootstrap, skips without.
#
#   tests/install/fresh.sh bookworm|trixie|noble|... [COMMAND]
set -euo pipefail
suite="$1" command="${2:-./check.sh}"
tree="$(cd "$(dirname "$0")/../.." && pwd)"
if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
  echo "skipped: a fresh system takes root and debootstrap"
  exit 77
fi
work="$(mktemp -d)"
trap 'rm -rf --one-file-system "$work"' EXIT
root="$work/$suite"

words=(--variant=minbase)
case "$suite" in
  bookworm | trixie | forky | sid) words+=("$suite" "$root" http://deb.debian.org/debian) ;;
  # Debian's debootstrap does not know the latest ones, and has no keys of theirs; all are made alike.
  *)
    words+=("--components=main,universe" --no-check-gpg
      "$suite" "$root" http://archive.ubuntu.com/ubuntu /usr/share/debootstrap/scripts/gutsy)
    ;;
esac
if ! debootstrap "${words[@]}" >"$work/log" 2>&1; then
  echo "skipped: no fresh $suite: $(tail -n 1 "$work/log")"
  exit 77
fi
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/root/"  # with those of a network that has its own
git -c safe.directory='*' clone -q --bare "$tree" "$root/root/origin"
mkdir "$root/root/data"

# Its mounts end with it, so that nothing of this machine lies below what is removed.
unshare --mount --pid --fork bash -s "$root" "${SCREE_DATA:-}" "$command" <<'INSIDE'
set -eu
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount --rbind /sys "$1/sys"
variables=(PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive
  PIP_CERT=/root/ca-certificates.crt SSL_CERT_FILE=/root/ca-certificates.crt)
if [ -n "$2" ]; then
  mount --bind "$2" "$1/root/data"
  variables+=(SCREE_DATA=/root/data)
fi
exec chroot "$1" env -i "${variables[@]}" bash -euc '
  apt-get update -q >/dev/null
  apt-get install -q -y --no-install-recommends git ca-certificates >/dev/null
  cd /root
  git clone -q origin scree
  cd scree
  eval "$1"' bash "$3" </dev/null
INSIDE
echo "passed"
