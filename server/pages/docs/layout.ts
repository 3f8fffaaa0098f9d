import { type Html, html } from '../html/html.ts'
import { renderPage, wordmark } from '../html/render-page.ts'
import { type DocumentFile, type DocumentGroup, pageUrl } from './documents.ts'
import type { Rendered, Section } from './render-markdown.ts'

export interface Page extends Pick<DocumentFile, 'name' | 'title'>, Rendered {
  /** The URL of the page as Markdown; absent for one that is none of the documents. */
  markdown?: string
  /** The way from the page to the service's address; `../` but for the first page. */
  root?: string
  /** In the search field. */
  query?: string
  /** What is beside the page instead of the list of all documents: its own sections. */
  contents?: Html
}

/** Puts the content of a page between the navigation and the links to its neighbours. */
export function layOut(page: Page, groups: DocumentGroup[], baseUrl: string): Html {
  const { name, title, sections, content, markdown, root = name && '../', query = '', contents } = page
  return renderPage({
    title: `${title} · Age Verification Service`,
    style: `${root}docs.css`,
    listed: sections.length > 0,
    picture: `${baseUrl}/docs/images/social.png`,
    markdown,
    body: html`<a class="hidden" href="#content">Skip to content</a>
<header>
<a href="${root}docs">${wordmark('Age verification')}</a> <span class="soft">Documentation</span>
<form role="search" action="${root}docs/search"><input type="search" name="q" value="${query}" placeholder="Search the documentation" aria-label="Search the documentation" autocomplete="off"></form>
</header>
<div class="columns">
<nav class="pages" aria-label="${contents ? 'Sections' : 'Documentation'}">
<details><summary>${contents ? 'Contents' : 'All pages'}</summary>
${contents ?? groups.map(group => renderGroup(group, page))}</details>
</nav>
<main id="content" tabindex="-1">
${markdown === undefined ? '' : html`<p class="formats"><a href="${root}${pageUrl(name, '')}.md">Markdown</a></p>\n`}${content}
${neighbours(page, groups)}
</main>
</div>
<script src="${root}docs.js"></script>`,
  })
}

function renderGroup({ title, documents }: DocumentGroup, page: Page): Html {
  return html`<h2>${title}</h2>
<ul>
${documents.map(document => html`<li>${pageLink(document, page)}</li>\n`)}</ul>
`
}

function pageLink(
  { name, title }: DocumentFile,
  { name: current, root = current && '../', sections }: Page,
): Html {
  const url = root + pageUrl(name, '')
  if (name !== current) return html`<a href="${url}">${title}</a>`
  return html`<a href="${url}" aria-current="page">${title}</a>\n<ul class="parts">${sections.slice(1).map(partLink)}</ul>`
}

/** A long code can be broken after each word. */
function partLink({ id, title, depth }: Section): Html {
  const [first = '', ...words] = title.split('_')
  const breakable = html`${first}${words.map(word => html`_<wbr>${word}`)}`
  return html`<li class="depth-${depth}"><a href="#${id}">${breakable}</a></li>\n`
}

/** Links to the previous and the next page. */
function neighbours({ name }: Page, groups: DocumentGroup[]): Html {
  const all = groups.flatMap(({ documents }) => documents)
  const index = all.findIndex(document => document.name === name)
  const link = (label: string, document: DocumentFile | undefined) =>
    document ? html`<p>${label} <a href="${pageUrl(document.name, name)}">${document.title}</a></p>` : ''
  const links = index < 0 ? '' : html`${link('Previous:', all[index - 1])}${link('Next:', all[index + 1])}`
  return html`<nav class="neighbours" aria-label="Neighbouring pages">${links}</nav>`
}
