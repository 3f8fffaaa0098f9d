import { basename, extname } from 'node:path'

/** Where the service serves what the documents link to. */
export interface LinkBase {
  /** From the page to the service's base URL: `` or `../`. The service can be served below a path. */
  root: string
}

/**
 * The URL of a link in a document; undefined for a file of the repository that the service does not serve. Links are
 * relative to the folder `docs`.
 */
export function urlOf(href: string, { root }: LinkBase): string | undefined {
  if (/^(https?:|#)/.test(href)) return href
  const [path = '', anchor] = href.split('#', 2)
  if (path === '../openapi.json') return `${root}openapi.json`
  if (path.startsWith('../')) return undefined
  if (extname(path) !== '.md') return `${root}docs/${path}`
  const page = basename(path, '.md')
  return `${root}docs${page === 'README' ? '' : `/${page}`}${anchor === undefined ? '' : `#${anchor}`}`
}
