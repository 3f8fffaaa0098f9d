#!/bin/sh
# Installs the image's packages in this folder, which has package.json and package-lock.json, and lists them in
# sbom.cdx.json (CycloneDX).
set -eu
# Without the optional packages, which are the Node of development machines, and without what only a compiler or a debugger
# reads: 45 of 94 MB remain. TypeScript is a peer of @trpc/server, for its types.
npm ci --omit=dev --omit=optional --ignore-scripts
rm -r node_modules/typescript
find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
# `npm sbom --omit=dev` would leave out each package that a development package needs too, such as koa.
npm pkg delete devDependencies optionalDependencies
npm sbom --legacy-peer-deps --sbom-type=application --sbom-format=cyclonedx >sbom.cdx.json
