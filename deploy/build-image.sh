#!/bin/sh
# Builds the image of this commit.
#
#   deploy/build-image.sh                                            for deploy/compose.yaml
#   deploy/build-image.sh registry.example/age-verification-service  pushes it, and prints the reference by digest
#
# NODE_IMAGE names another base, by digest; by default the Dockerfile's tag is resolved now. SOURCE is the URL of the source
# code, for the image's label, and GIT_COMMIT the commit where there is no .git.
set -eu
cd "$(dirname "$0")/.."
repository=${1:-age-verification-service}
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
image=$repository:$version
commit=${GIT_COMMIT:-$(git describe --always --abbrev=40 --exclude='*' --dirty=-modified)}
tag=$(sed -n 's/^ARG NODE_IMAGE=//p' deploy/Dockerfile)
base=${NODE_IMAGE:-$tag@$(docker buildx imagetools inspect "$tag" | sed -n 's/^Digest: *//p')}
case $base in
  *@sha256:????????????????????????????????????????????????????????????????) ;;
  *) echo "NODE_IMAGE has no digest: $base" >&2; exit 1 ;;
esac

docker build --file deploy/Dockerfile --tag "$image" --build-arg NODE_IMAGE="$base" --build-arg VERSION="$version" \
  --build-arg GIT_COMMIT="$commit" --build-arg CREATED="$(date -u +%Y-%m-%dT%H:%M:%SZ)" --build-arg SOURCE="${SOURCE:-}" . >&2
[ $# -gt 0 ] || { echo "$image"; exit 0; }
docker push "$image" >&2
docker image inspect --format '{{range .RepoDigests}}{{println .}}{{end}}' "$image" | grep "^$repository@"
