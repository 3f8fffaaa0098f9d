import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

export const repositoryFolder = join(import.meta.dirname, '..', '..', '..')

export interface DocumentFile {
  /** Below `/docs`, such as `webhooks`, or `python` for `clients/python/README.md`; empty for the first page. */
  name: string
  title: string
  file: string
}

export interface DocumentGroup {
  title: string
  documents: DocumentFile[]
}

const indexFile = 'docs/README.md'

/** Stands for the reference of the API, which is made of the endpoints' declarations. */
export const referenceFile = 'docs/api.md'

/** Stands for the page that lists the downloads. */
export const downloadsFile = 'docs/downloads.md'

/** The text of a file of the repository. */
export function readDocument(file: string): string {
  return readFileSync(join(repositoryFolder, file), 'utf8')
}

/** The documents that the tables of docs/README.md list, and in the first group itself, the reference and the downloads. */
export function readGroups(): DocumentGroup[] {
  const [first, ...others] = readDocument(indexFile)
    .split(/^## /m)
    .map(part => ({
      title: part.split('\n', 1)[0]!,
      documents: [...part.matchAll(/^\| \[(.+?)\]\((.+?)\)/gm)].map(([, title, href]) =>
        documentOf(title!, posix.join('docs', href!)),
      ),
    }))
    .filter(({ documents }) => documents.length > 0)
  first!.documents.unshift(documentOf('Overview', indexFile))
  first!.documents.push(documentOf('API reference', referenceFile), documentOf('Downloads', downloadsFile))
  return [first!, ...others]
}

function documentOf(title: string, file: string): DocumentFile {
  const path = file.replace(/^(docs|clients)\//, '').replace(/\/?(README)?\.md$/, '')
  return { name: path.toLowerCase(), title, file }
}

/** The URL of a page, from the one with this name. The service can be served below a path. */
export function pageUrl(name: string, from: string): string {
  return `${from && '../'}docs${name && `/${name}`}`
}

/** The URL of what a document links to; undefined for a file of the repository that the service does not serve. */
export function linkUrl(href: string, from: DocumentFile, documents: DocumentFile[]): string | undefined {
  if (/^(https?:|#)/.test(href)) return href
  if (href.startsWith('/')) return addressUrl(href, from, documents)
  const [path = '', anchor] = href.split('#', 2)
  const target = posix.join(posix.dirname(from.file), path)
  if (target === 'openapi.json' || /^docs\/(images|downloads)\//.test(target))
    return `${from.name && '../'}${target}`
  const document = documents.find(({ file }) => file === target)
  return document && pageUrl(document.name, from.name) + (anchor === undefined ? '' : `#${anchor}`)
}

/** The URL of what the service has at an address; undefined if that is neither a page nor the OpenAPI document. */
function addressUrl(address: string, from: DocumentFile, documents: DocumentFile[]): string | undefined {
  const isServed =
    address === '/openapi.json' || documents.some(({ name }) => `/${pageUrl(name, '')}` === address)
  if (!isServed) return undefined
  return from.name ? `..${address}` : address.slice(1)
}
