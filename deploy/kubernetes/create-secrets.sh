#!/bin/sh
# Once, in a folder with these files, which have one value each.
set -eu
kubectl apply -f "$(dirname "$0")/process/namespace.yaml"
# The URL of the role that owns the tables, which the service itself does not have, is not in the service's secret.
kubectl -n age-verification create secret generic age-verification-migration \
  --from-file=database-url=migration-database-url --from-file=encryption-key
kubectl -n age-verification create secret generic age-verification \
  --from-file=database-url --from-file=encryption-key --from-file=redis-url \
  --from-file=veriff-api-key --from-file=veriff-shared-secret
