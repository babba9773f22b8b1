#!/bin/sh
# Makes what provers and servers show each other: sh deploy/make-prover-keys.sh FOLDER NAME…
# The names are those of PROVER_URL: halcyon-prover, halcyon-prover.halcyon-production.svc. Everything is good for a year.
# Keep authority-key.pem offline, or delete it and make all of them again next time.
set -eu
[ $# -ge 2 ] || { echo "usage: $0 FOLDER NAME…" >&2; exit 1; }
folder=$1
shift
names=
for name in "$@"; do names="${names:+$names,}DNS:$name"; done
umask 077
mkdir "$folder"
cd "$folder"
key() { openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1-key.pem"; }
key authority
openssl req -x509 -new -key authority-key.pem -days 366 -subj "/CN=Halcyon provers" -out authority.pem
leaf() {
  key "$1"
  openssl req -new -key "$1-key.pem" -subj "/CN=$1" -out "$1.csr"
  printf 'basicConstraints=CA:FALSE\nextendedKeyUsage=%s\n%s\n' "$2" "$3" >"$1.ext"
  openssl x509 -req -in "$1.csr" -CA authority.pem -CAkey authority-key.pem -set_serial "0x$(openssl rand -hex 16)" \
    -days 366 -extfile "$1.ext" -out "$1.pem" 2>/dev/null
  rm "$1.csr" "$1.ext"
}
leaf prover serverAuth "subjectAltName=$names"
leaf server clientAuth ""
openssl genpkey -quiet -algorithm ed25519 -out signing-key.pem
openssl pkey -in signing-key.pem -pubout -out signer.pem
echo "made $folder: prover.pem, prover-key.pem and signer.pem are the provers', server.pem, server-key.pem and"
echo "signing-key.pem the servers', authority.pem is everyone's"
