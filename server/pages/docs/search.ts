import MiniSearch, { type SearchResult } from 'minisearch'
import { type Html, html } from '../html/html.ts'
import { pageUrl } from './documents.ts'
import type { Section } from './render-markdown.ts'

/** More words, and longer ones, are ignored, so that no query takes more than some milliseconds. */
const wordsMax = 6
const wordLengthMax = 40
const resultsMax = 15
const excerptLength = 160

/** Finds the sections with all words of a query, or words like them, and returns them as a list, the best first. */
export type Search = (query: string, from: string) => Html

/** Indexes the sections of pages. */
export async function searchOf(
  pages: { name: string; title: string; sections: Section[] }[],
): Promise<Search> {
  const index = new MiniSearch({
    fields: ['title', 'text'],
    storeFields: ['name', 'page', 'anchor', 'title', 'text'],
    searchOptions: {
      boost: { title: 3 },
      combineWith: 'AND',
      prefix: word => word.length > 2,
      fuzzy: word => word.length > 4 && 0.2,
    },
  })
  const entries = pages.flatMap(({ name, title: page, sections }) =>
    sections.map(({ id: anchor, title, text }) => ({ name, page, anchor, title, text })),
  )
  await index.addAllAsync(entries.map((entry, id) => ({ id, ...entry })))
  return (query, from) => {
    const words = query.match(/[\p{L}\p{N}]+/gu)?.slice(0, wordsMax) ?? []
    const found = index.search(words.map(word => word.slice(0, wordLengthMax)).join(' ')).slice(0, resultsMax)
    const count = found.length === 1 ? '1 result' : `${found.length || 'No'} results`
    return html`<p role="status">${count}</p>
<ol class="results">
${found.map(result => resultItem(result, from))}</ol>`
  }
}

function resultItem({ name, page, anchor, title, text, terms }: SearchResult, from: string): Html {
  const label = anchor ? `${page}: ${title}` : page
  const url = pageUrl(name, from) + (anchor && `#${anchor}`)
  return html`<li><a href="${url}">${label}</a> <span class="soft">${excerptOf(text, terms)}</span></li>\n`
}

/** Begins a few words before the first term that the text contains. */
function excerptOf(text: string, terms: string[]): string {
  const positions = terms.map(term => text.toLowerCase().indexOf(term)).filter(position => position > 40)
  const start = positions.length > 0 ? text.indexOf(' ', Math.min(...positions) - 40) + 1 : 0
  const excerpt = text.slice(start, start + excerptLength).replace(/\s\S*$/, '')
  return `${start > 0 ? '… ' : ''}${excerpt} …`
}
