import MiniSearch, { type SearchResult } from 'minisearch'
import { type Html, html } from '../html/html.ts'
import { pageUrl } from './documents.ts'
import type { Section } from './render-markdown.ts'

/** More words, and the rest of a longer query, are ignored, so that none takes more than some milliseconds. */
const wordsMax = 6
const queryLengthMax = 100
const resultsMax = 15
const excerptLength = 160

/** Finds the sections with words of a query, or words like them, and returns them as a list, the best first. */
export type Search = (query: string, from: string) => Html

/** Indexes the sections of pages. */
export async function createSearch(
  pages: { name: string; title: string; sections: Section[] }[],
): Promise<Search> {
  const index = new MiniSearch({
    fields: ['page', 'title', 'text', 'code'],
    tokenize: wordsOf,
    storeFields: ['name', 'page', 'anchor', 'title', 'text'],
    searchOptions: {
      boost: { title: 3, code: 0.2 },
      prefix: word => word.length > 2,
      fuzzy: word => word.length > 4 && 0.2,
      // What is spelled as in the query comes first.
      weights: { prefix: 0.3, fuzzy: 0.1 },
    },
  })
  const entries = pages.flatMap(({ name, title: page, sections }) =>
    sections.map(({ id: anchor, title, text, code }) => ({ name, page, anchor, title, text, code })),
  )
  await index.addAllAsync(entries.map((entry, id) => ({ id, ...entry })))
  return (query, from) => {
    const words = wordsOf(query.slice(0, queryLengthMax))
    const found = index.search(words.slice(0, wordsMax).join(' ')).slice(0, resultsMax)
    const count = found.length === 1 ? '1 result' : `${found.length || 'No'} results`
    return html`<p role="status">${count}</p>
<ol class="results">
${found.map(result => resultItem(result, from))}</ol>`
  }
}

/** Without what stands around them, as in `16+` and `<iframe>`. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? []
}

function resultItem({ name, page, anchor, title, text }: SearchResult, from: string): Html {
  const label = anchor ? `${page}: ${title}` : page
  const url = pageUrl(name, from) + (anchor && `#${anchor}`)
  const excerpt = text
    .trim()
    .slice(0, excerptLength)
    .replace(/\s\S*$/, ' …')
  return html`<li><a href="${url}">${label}</a> <span class="soft">${excerpt}</span></li>\n`
}
