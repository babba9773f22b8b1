#!/bin/sh
# Makes the secrets of compose.yaml, once: sh deploy/compose/make-secrets.sh RPC_URL_46630 RPC_URL_4663
# The folder is yours alone; the files in it can be read by the containers, which run as another user.
set -eu
[ $# = 2 ] || { echo "usage: $0 RPC_URL_46630 RPC_URL_4663" >&2; exit 1; }
cd "$(dirname "$0")"
mkdir -m 700 secrets
cd secrets
put() { printf %s "$2" >"$1" && chmod 444 "$1"; }
random() { openssl rand -hex 32; }
for name in relayer-seed server-pepper nextauth-secret secrets-key postgres-password postgres-app-password; do
  put "$name" "$(random)"
done
put database-url "postgres://halcyon_app:$(cat postgres-app-password)@postgres:5432/halcyon"
put migration-database-url "postgres://halcyon:$(cat postgres-password)@postgres:5432/halcyon"
put rpc-url-46630 "$1"
put rpc-url-4663 "$2"
echo "made deploy/compose/secrets; keep a copy where you keep the keys of your backups"
