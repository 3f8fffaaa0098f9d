import { setImmediate } from 'node:timers/promises'
import { Asset } from '../dashboard/asset.ts'
import { html } from '../html/html.ts'
import { apiReference } from './api-reference.ts'
import { linkUrl, pageUrl, readDocument, readGroups, referenceFile } from './documents.ts'
import { layOut, type Page } from './layout.ts'
import { renderMarkdown } from './render-markdown.ts'
import { searchOf } from './search.ts'

/**
 * Renders the documents and the reference of the API, named by their URLs, and the page that shows what a query finds.
 * Other requests are served between the pages.
 */
export async function renderDocumentation(baseUrl: string) {
  const groups = readGroups()
  const documents = groups.flatMap(group => group.documents)
  const pages: Page[] = []
  for (const document of documents) {
    const text = document.file === referenceFile ? apiReference(baseUrl) : readDocument(document.file)
    pages.push({ ...document, ...renderMarkdown(text, href => linkUrl(href, document, documents)) })
    await setImmediate()
  }
  const search = await searchOf(pages)
  return {
    pages: pages.map(page => {
      const { markup } = layOut(page, groups)
      return new Asset(`/${pageUrl(page.name, '')}.html`, Buffer.from(markup))
    }),
    searchPage(query: string): string {
      const content = html`<h1>Search</h1>\n${search(query, 'search')}`
      return layOut({ name: 'search', title: 'Search', sections: [], content, query }, groups).markup
    },
  }
}
