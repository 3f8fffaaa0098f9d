import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

export const repositoryFolder = join(import.meta.dirname, '..', '..', '..')

export interface DocumentFile {
  /** Below `/docs`, such as `webhooks`, or `python` for `clients/python/README.md`; empty for the first page. */
  name: string
  title: string
  file: string
  /** What the page answers, in a sentence. */
  answers: string
}

export interface DocumentGroup {
  title: string
  documents: DocumentFile[]
}

const indexFile = 'docs/README.md'

/** Stands for the reference of the API, which is made of the endpoints' declarations. */
export const referenceFile = 'docs/api.md'

/** The files and their checksums follow it. */
export const downloadsFile = 'docs/downloads.md'

/** The text of a file of the repository. A line that is a link to a sample is followed by that program. */
export function readDocument(file: string): string {
  const read = (path: string) => readFileSync(join(repositoryFolder, path), 'utf8')
  return read(file).replace(/^\[.+\]\((samples\/.+\.m?(\w+))\)$/gm, (link, path, extension) => {
    const language = extension === 'py' ? 'python' : extension
    return `${link}\n\n\`\`\`${language} ${posix.basename(path)}\n${read(`docs/${path}`)}\`\`\``
  })
}

/** What the service is for, and what everybody has to know, in a line each, as docs/README.md begins. */
export function readIntroduction(): [summary: string, important: string] {
  const [, summary = '', important = ''] = readDocument(indexFile).split('\n\n')
  const lineOf = (text: string) => text.replace(/^> (\[!IMPORTANT\]\n> )?/gm, '').replaceAll('\n', ' ')
  return [lineOf(summary), lineOf(important)]
}

/** The documents that the tables of docs/README.md list, and in the first group itself, the reference and the downloads. */
export function readGroups(): DocumentGroup[] {
  const [first, ...others] = readDocument(indexFile)
    .split(/^## /m)
    .map(part => ({
      title: part.split('\n', 1)[0]!,
      documents: [...part.matchAll(/^\| \[(.+?)\]\((.+?)\) \| (.+) \|$/gm)].map(([, title, href, answers]) =>
        documentOf(title!, posix.join('docs', href!), answers!),
      ),
    }))
    .filter(({ documents }) => documents.length > 0)
  first!.documents.unshift(documentOf('Overview', indexFile, 'What there is, and the API at a glance'))
  first!.documents.push(
    documentOf('API reference', referenceFile, 'Every endpoint, field and error, with example calls'),
    documentOf('Downloads', downloadsFile, 'The clients, how to install them, and the test vectors'),
  )
  return [first!, ...others]
}

function documentOf(title: string, file: string, answers: string): DocumentFile {
  const path = file.replace(/^(docs|clients)\//, '').replace(/\/?(README)?\.md$/, '')
  return { name: path.toLowerCase(), title, file, answers }
}

/** The URL of a page, from the one with this name. The service can be served below a path. */
export function pageUrl(name: string, from: string): string {
  return `${from && '../'}docs${name && `/${name}`}`
}

/** What the service serves at its root, beside the documents. */
const servedPaths = ['openapi.json', 'llms.txt', 'evidence', 'practice-statement', 'practice-statement.json']

/** The URL of what a document links to; undefined for a file of the repository that the service does not serve. */
export function linkUrl(href: string, from: DocumentFile, documents: DocumentFile[]): string | undefined {
  if (/^(https?:|#)/.test(href)) return href
  if (href.startsWith('/')) return addressUrl(href, from, documents)
  const [path = '', anchor] = href.split('#', 2)
  const target = posix.join(posix.dirname(from.file), path)
  if (target === 'openapi.json' || /^docs\/(images|downloads|samples)\//.test(target))
    return `${from.name && '../'}${target}`
  const document = documents.find(({ file }) => file === target)
  return document && pageUrl(document.name, from.name) + (anchor === undefined ? '' : `#${anchor}`)
}

/** The URL of what the service has at an address; undefined if it has none. */
function addressUrl(address: string, from: DocumentFile, documents: DocumentFile[]): string | undefined {
  const [path = ''] = address.slice(1).split('#', 1)
  if (!servedPaths.includes(path) && !documents.some(({ name }) => pageUrl(name, '') === path))
    return undefined
  return from.name ? `..${address}` : address.slice(1)
}
