import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { documentedEndpoints, enabled, type Features } from '#rest/router.ts'
import { Asset } from '../dashboard/asset.ts'
import { releasedFolder } from '../packages/released.ts'
import { repositoryFolder } from './documents.ts'
import { collectionName, postmanCollection } from './postman-collection.ts'

const clientsFolder = join(repositoryFolder, 'clients')
const vectorsFolder = join(clientsFolder, 'test-vectors')
const isPackage = (name: string) => /\.(tgz|whl|tar\.gz)$/.test(name)

/** Whether it never changes. */
export function isReleased({ path }: Asset): boolean {
  return isPackage(path)
}

/**
 * Every client that was ever released, and for integrators a collection of requests, the test vectors, and the checksums of all.
 */
export function readDownloads(baseUrl: string, features: Features): Asset[] {
  const list = (folder: string, isListed: (name: string) => boolean) =>
    readdirSync(folder)
      .filter(isListed)
      .map(name => join(folder, name))
  const files = [...list(releasedFolder, isPackage), ...list(vectorsFolder, name => name.endsWith('.json'))]
  const collection = postmanCollection(baseUrl, enabled(documentedEndpoints, features))
  const assets = [
    ...files.toSorted(byVersion).map(file => toAsset(basename(file), readFileSync(file))),
    toAsset(collectionName, Buffer.from(collection)),
  ]
  const sums = assets.map(({ path, bytes }) => {
    const digest = createHash('sha256').update(bytes).digest('hex')
    return `${digest}  ${basename(path)}\n`
  })
  return [...assets, toAsset('SHA256SUMS', Buffer.from(sums.join('')))]
}

/** Named by their URLs. */
function toAsset(name: string, bytes: Buffer): Asset {
  return new Asset(`/docs/downloads/${name}`, bytes)
}

/** 1.9.0 before 1.10.0. */
function byVersion(one: string, other: string): number {
  return basename(one).localeCompare(basename(other), 'en', { numeric: true })
}

/** What a file is, by how its name ends. */
const kinds: [end: string, description: string][] = [
  ['.tgz', 'The [TypeScript client](../clients/typescript/README.md)'],
  ['.whl', 'The [Python client](../clients/python/README.md)'],
  ['.tar.gz', 'Its source distribution'],
  [collectionName, 'The requests of the API for [Postman](testing.md#in-postman)'],
  ['.json', '[Test vectors](../clients/test-vectors/README.md)'],
  ['SHA256SUMS', 'The checksums of the others, as `sha256sum --check` reads them'],
]

/** The page that lists the downloads, in Markdown. */
export function describeDownloads(downloads: readonly Asset[], baseUrl: string): string {
  const names = downloads.map(({ path }) => basename(path))
  const newest = (end: string) => names.findLast(name => name.endsWith(end))
  const earlier = names.filter(name => isPackage(name) && !kinds.some(([end]) => newest(end) === name))
  const rows = downloads
    .filter(({ path }) => !earlier.includes(basename(path)))
    .map(({ path, bytes }) => {
      const name = basename(path)
      const [, description] = kinds.find(([end]) => name.endsWith(end))!
      return `| ${link(name)} | ${description} | ${bytes.length.toLocaleString('en')} |\n`
    })
  return `# Downloads

The newest clients, and the test vectors of the version that this service runs.

| File | Content | Bytes |
|---|---|---|
${rows.join('')}
## Install

Neither client is on npm or PyPI: what has its name there is somebody else's. So say that it comes from here.

\`\`\`sh
echo '@age-verification:registry=${baseUrl}/npm/' >> .npmrc
npm install @age-verification/client

pip install 'age-verification @ ${baseUrl}/docs/downloads/${newest('.whl')}'
\`\`\`

The pages of the [TypeScript client](../clients/typescript/README.md#install) and the
[Python client](../clients/python/README.md#install) have other package managers, ranges and lock files.

## Earlier versions

A version that was released stays at its address, unchanged, for as long as this service runs.

${earlier.toReversed().map(link).join(' · ')}

## SHA-256

\`\`\`text
${downloads.find(({ path }) => path.endsWith('SUMS'))?.bytes}\`\`\``
}

function link(name: string): string {
  return `[${name}](downloads/${name})`
}
