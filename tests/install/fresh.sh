#!/usr/bin/env bash
# What a newcomer's first commands do: in a fresh Debian or Ubuntu that holds its base alone, from the network, the
# commit that is checked out here, cloned; there ./check.sh runs, or COMMAND. Takes root and debootstrap, skips without.
#
#   tests/install/fresh.sh bookworm|trixie|noble|... [COMMAND]
set -euo pipefail
suite="${1:?name a release, as bookworm}" command="${2:-./check.sh}"
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
  # Debian's debootstrap does not know the latest ones, which all are made alike.
  *)
    keys=/usr/share/keyrings/ubuntu-archive-keyring.gpg
    [ -e "$keys" ] || { echo "skipped: there are no keys of Ubuntu, which Debian 13 has as ubuntu-keyring" && exit 77; }
    words+=("--components=main,universe" --keyring="$keys"
      "$suite" "$root" http://archive.ubuntu.com/ubuntu /usr/share/debootstrap/scripts/gutsy)
    ;;
esac
if ! debootstrap "${words[@]}" >"$work/log" 2>&1; then
  tail -n 1 "$work/log"
  if grep -q "Failed getting release file" "$work/log"; then echo "skipped: no $suite from the network" && exit 77; fi
  exit 1
fi
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
# A network may have certificates of its own, which this machine knows.
cp -L /etc/ssl/certs/ca-certificates.crt "$root/root/"
git -c safe.directory='*' clone -q --bare "$tree" "$root/root/origin"
mkdir "$root/root/data"

# Its mounts end with it, so that nothing of this machine lies below what is removed.
unshare --mount --pid --fork --kill-child bash -s "$root" "${SCREE_DATA:-}" "$command" <<'INSIDE'
set -eu
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount --rbind /sys "$1/sys"
variables=(PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive
  PIP_CERT=/root/ca-certificates.crt SSL_CERT_FILE=/root/ca-certificates.crt)
for name in http_proxy https_proxy no_proxy; do
  [ -z "${!name:-}" ] || variables+=("$name=${!name}")
done
if [ -n "$2" ]; then
  mount --bind "$2" "$1/root/data"
  mount -o remount,bind,ro "$1/root/data"
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
