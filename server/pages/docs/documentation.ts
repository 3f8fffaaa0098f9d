import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Asset } from '../dashboard/asset.ts'
import { apiReference } from './api-reference.ts'
import { type Document, documentGroups, documentsFolder, indexName, readDocuments } from './documents.ts'
import { layOut, type NavigationGroup } from './layout.ts'
import { renderMarkdown } from './markdown/render-markdown.ts'
import { operationsOf } from './operations-of.ts'

const reference = { name: 'api', title: 'API reference' }

/** The pages of the documentation and their images. Files are read and pages rendered on their first use. */
export class Documentation {
  readonly #baseUrl: string
  readonly #openApi: unknown
  readonly #pages = new Map<string, Asset>()
  #images: Map<string, Asset> | undefined
  #documents: Map<string, Document> | undefined
  #navigation: NavigationGroup[] = []

  constructor(baseUrl: string, openApi: unknown) {
    this.#baseUrl = baseUrl
    this.#openApi = openApi
  }

  /** The page with this name below `/docs`, empty for the first one; undefined if there is none. */
  page(name: string): Asset | undefined {
    const existing = this.#pages.get(name)
    if (existing) return existing
    const markup = this.#render(name)
    if (markup === undefined) return undefined
    const page = new Asset(`${name || 'index'}.html`, Buffer.from(markup))
    this.#pages.set(name, page)
    return page
  }

  /** An image that a document shows; undefined if there is none with this name. */
  image(file: string): Asset | undefined {
    this.#images ??= readImages()
    return this.#images.get(file)
  }

  #render(name: string): string | undefined {
    const documents = this.#read()
    const root = name === '' ? '' : '../'
    const navigation = this.#navigation
    if (name === reference.name) {
      const content = apiReference(operationsOf(this.#openApi), this.#baseUrl, root)
      return layOut({ ...reference, ...content, navigation, root }).markup
    }
    const document = documents.get(name === '' ? indexName : name)
    if (!document || name === indexName) return undefined
    const content = renderMarkdown(document.text, { root })
    return layOut({ name, title: document.title, ...content, navigation, root }).markup
  }

  #read(): Map<string, Document> {
    if (this.#documents) return this.#documents
    const documents = readDocuments()
    const entry = (name: string) => ({ name, title: documents.get(name)?.title ?? name })
    const groups = documentGroups.map(({ title, names }) => ({ title, entries: names.map(entry) }))
    groups[0]?.entries.unshift({ name: '', title: 'Overview' })
    groups[0]?.entries.push(reference)
    this.#navigation = groups
    this.#documents = documents
    return documents
  }
}

function readImages(): Map<string, Asset> {
  const folder = join(documentsFolder, 'images')
  return new Map(readdirSync(folder).map(file => [file, new Asset(file, readFileSync(join(folder, file)))]))
}
