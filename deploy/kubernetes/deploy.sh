#!/bin/sh
# Each new version: deploy.sh registry.example/age-verification-service@sha256:…, as build-image.sh prints it. Migrates, and
# then replaces the service. Stops with exit code 1, and says why, if the migration fails or does not start within a minute,
# and if pods of the new version do not become ready; those of the old one go on. To roll back, give it the previous image.
set -eu
image=${1:-}
case $image in
  ?*@sha256:????????????????????????????????????????????????????????????????) ;;
  *) echo "usage: $0 IMAGE@sha256:DIGEST (a tag can be moved)" >&2; exit 1 ;;
esac
cd "$(dirname "$0")"

in_namespace() { kubectl -n age-verification "$@"; }
apply() {
  manifests=$(kubectl kustomize "$1")
  echo "$manifests" | sed "s|image: age-verification-service\$|image: $image|" | kubectl apply -f -
}

# The pods of a job cannot be changed.
in_namespace delete job migration --ignore-not-found --cascade=foreground
apply migration
pending_seconds=0
while :; do
  case $(in_namespace get job migration -o jsonpath='{.status.conditions[*].type}') in
    *Complete*) break ;;
    *Failed*) in_namespace logs job/migration >&2; exit 1 ;;
  esac
  case $(in_namespace get pods -l job-name=migration -o jsonpath='{.items[*].status.phase}') in
    '' | Pending) pending_seconds=$((pending_seconds + 2)) ;;
  esac
  if [ $pending_seconds -ge 60 ]; then
    in_namespace describe job/migration >&2
    in_namespace describe pods -l job-name=migration >&2
    exit 1
  fi
  sleep 2
done

apply service
for name in callbacks worker api; do
  in_namespace rollout status "deployment/$name"
done
