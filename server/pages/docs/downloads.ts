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

/** What follows docs/downloads.md: the files and their checksums, in Markdown. */
export function listDownloads(downloads: readonly Asset[]): string {
  const rows = downloads.map(({ path, bytes }) => {
    const name = basename(path)
    const [, description] = kinds.find(([end]) => name.endsWith(end))!
    return `| [${name}](downloads/${name}) | ${description} | ${bytes.length.toLocaleString('en')} |\n`
  })
  return `
## Files

| File | Content | Bytes |
|---|---|---|
${rows.join('')}
## SHA-256

\`\`\`text
${downloads.at(-1)!.bytes}\`\`\``
}
