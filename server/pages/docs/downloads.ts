import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Asset } from '../dashboard/asset.ts'
import { repositoryFolder } from './documents.ts'

/** Whose files are offered, except for their READMEs. */
const folders = ['clients/released', 'clients/test-vectors']

/** The clients and the test vectors, and the checksums of all, named by their URLs. */
export function readDownloads(): Asset[] {
  const files = folders.flatMap(folder =>
    readdirSync(join(repositoryFolder, folder)).map(name => join(repositoryFolder, folder, name)),
  )
  const assets = files
    .filter(file => !file.endsWith('.md'))
    .map(file => toAsset(basename(file), readFileSync(file)))
  const sums = assets.map(({ path, bytes }) => {
    const digest = createHash('sha256').update(bytes).digest('hex')
    return `${digest}  ${basename(path)}\n`
  })
  return [...assets, toAsset('SHA256SUMS', Buffer.from(sums.join('')))]
}

function toAsset(name: string, bytes: Buffer): Asset {
  return new Asset(`/docs/downloads/${name}`, bytes)
}

/** What a file is, by how its name ends. */
const kinds: [end: string, description: string][] = [
  ['.tgz', 'The [TypeScript client](../clients/typescript/README.md)'],
  ['.whl', 'The [Python client](../clients/python/README.md)'],
  ['.json', '[Test vectors](../clients/test-vectors/README.md)'],
  ['SHA256SUMS', 'The checksums of the others, as `sha256sum --check` reads them'],
]

/** The page that lists the downloads, in Markdown. */
export function describeDownloads(downloads: readonly Asset[], baseUrl: string): string {
  const names = downloads.map(({ path }) => basename(path))
  const rows = downloads.map(({ path, bytes }) => {
    const name = basename(path)
    const [, description] = kinds.find(([end]) => name.endsWith(end))!
    return `| [${name}](downloads/${name}) | ${description} | ${bytes.length.toLocaleString('en')} |\n`
  })
  const [tarball, wheel] = ['.tgz', '.whl'].map(end => names.find(name => name.endsWith(end)))
  return `# Downloads

| File | Content | Bytes |
|---|---|---|
${rows.join('')}
## Install

Keep the client's file in your repository, and install it from there: no build of yours needs this service then. Neither client
is on npm or PyPI: what has its name there is somebody else's.

\`\`\`sh
curl -sSfO ${baseUrl}/docs/downloads/${tarball}
npm install ./${tarball}

curl -sSfO ${baseUrl}/docs/downloads/${wheel}
pip install ./${wheel}
\`\`\`

## SHA-256

The repository of this service has the clients' checksums, too, of each release: \`clients/SHA256SUMS\`. At the tag of a release,
\`npm ci && npm run release-clients\` packs the same bytes on any machine, so \`git diff --exit-code clients\` finds nothing.

\`\`\`text
${downloads.at(-1)!.bytes}\`\`\``
}
