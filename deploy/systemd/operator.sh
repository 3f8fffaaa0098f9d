#!/bin/sh
# The operator's command line with the settings and secrets of the units, as root: sudo operator.sh doctor
# The audit log has who used sudo, or OPERATOR_NAME.
set -eu
settings=/etc/age-verification/service.env
for name in database-url redis-url encryption-key veriff-api-key veriff-shared-secret; do
  export "$(echo $name | tr a-z- A-Z_)_FILE=/etc/age-verification/credentials/$name"
done
export NODE_ENV=production MIGRATE_ON_START=false
# Node needs this one before it reads a file.
authorities=$(sed -n 's/^NODE_EXTRA_CA_CERTS=//p' $settings)
[ -z "$authorities" ] || export NODE_EXTRA_CA_CERTS="$authorities"
# Another release than the one that runs, for example to see what it would migrate.
release=${RELEASE:-/opt/age-verification-service}
# The units' user owns nothing of it, and root's umask may have kept others out.
if [ "${1:-}" = doctor ] && [ "$(id -u)" = 0 ]; then
  hidden=$(setpriv --reuid=65534 --regid=65534 --clear-groups \
    find "$release/" ! -type l \( ! -readable -o -type d ! -executable \) -print -quit 2>&1 | head -n 1)
  if [ -n "$hidden" ]; then
    echo "FAULT  release  the units' user cannot read all of it ($hidden): chmod -R a+rX $release/, and chmod a+x the folders above" >&2
    exit 1
  fi
fi
cd "$release"
exec node_modules/.bin/node --env-file=$settings operator/main.ts "$@"
