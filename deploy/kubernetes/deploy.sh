#!/bin/sh
# Each new version: migrates, and then replaces the service. Stops if the migration fails.
set -eu
cd "$(dirname "$0")"
# The pods of a job cannot be changed.
kubectl -n age-verification delete job migration --ignore-not-found
kubectl apply -k migration
while :; do
  conditions=$(kubectl -n age-verification get job migration -o jsonpath='{.status.conditions[*].type}')
  case $conditions in
    *Complete*) break ;;
    *Failed*) kubectl -n age-verification logs job/migration >&2; exit 1 ;;
  esac
  sleep 2
done
kubectl apply -k service
