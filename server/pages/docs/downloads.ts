import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Asset } from '../dashboard/asset.ts'
import { repositoryFolder } from './documents.ts'

/** What `npm run build` makes for integrators. */
const folder = join(repositoryFolder, 'clients/dist')

/** Named by their URLs; none if they are not built. */
export function readDownloads(): Asset[] {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : []
  return names.map(name => new Asset(`/docs/downloads/${name}`, readFileSync(join(folder, name))))
}

/** What a file is, by how its name ends. */
const kinds: [end: string, description: string][] = [
  ['.tgz', 'The [TypeScript client](../clients/typescript/README.md)'],
  ['.tar.gz', 'The [Python client](../clients/python/README.md)'],
  [
    'console-api.d.ts',
    'The type `ConsoleRouter` of the [console API](dashboard.md), for a dashboard of your own',
  ],
  ['.json', '[Test vectors](../clients/test-vectors/README.md)'],
  ['SHA256SUMS', 'The checksums of the others, as `sha256sum --check` reads them'],
]

/** The page that lists the downloads, in Markdown. */
export function describeDownloads(downloads: readonly Asset[], baseUrl: string): string {
  const rows = downloads.map(({ path, bytes }) => {
    const name = basename(path)
    const [, description] = kinds.find(([end]) => name.endsWith(end)) ?? ['', '']
    return `| [${name}](downloads/${name}) | ${description} | ${bytes.length.toLocaleString('en')} |\n`
  })
  const findUrl = (end: string) => `${baseUrl}${downloads.find(({ path }) => path.endsWith(end))?.path ?? ''}`
  const commands = [`npm install ${findUrl('.tgz')}`, `pip install ${findUrl('.tar.gz')}`]
  const content = `| File | Content | Bytes |
|---|---|---|
${rows.join('')}
## Install

\`\`\`sh
${commands.join('\n')}
\`\`\`

A lock file keeps the checksum. To host a client in your own registry, download it, and publish it there.

## SHA-256

\`\`\`text
${downloads.find(({ path }) => path.endsWith('SUMS'))?.bytes}\`\`\``
  const missing = 'This installation has none: its operator has to run `npm run build`.'
  return `# Downloads

The clients and test vectors of the version that this service runs.

${downloads.length > 0 ? content : missing}
`
}
