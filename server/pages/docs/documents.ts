import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the documents and their images. */
export const documentsFolder = join(import.meta.dirname, '..', '..', '..', 'docs')

/** The file that introduces the others; the page of `/docs` itself. */
export const indexName = 'README'

/** The documents in the order in which the pages list them, by the names of their files. */
export const documentGroups: readonly { title: string; names: readonly string[] }[] = [
  {
    title: 'Integrate',
    names: [
      'quick-start',
      'life-cycle',
      'webhooks',
      'tokens',
      'errors',
      'limits',
      'testing',
      'going-live',
      'versioning',
    ],
  },
  { title: 'Run the service', names: ['configuration', 'operator', 'dashboard'] },
]

export interface Document {
  title: string
  /** Markdown. */
  text: string
}

/** Reads all documents, by the names of their files. */
export function readDocuments(): Map<string, Document> {
  const names = [indexName, ...documentGroups.flatMap(({ names }) => names)]
  return new Map(names.map(name => [name, readDocument(name)]))
}

function readDocument(name: string): Document {
  const text = readFileSync(join(documentsFolder, `${name}.md`), 'utf8')
  return { title: /^# (.*)$/m.exec(text)?.[1] ?? name, text }
}
