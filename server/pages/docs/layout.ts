import { type Html, html } from '../html/html.ts'
import { pageOf } from '../html/page-of.ts'
import { wordmark } from '../html/wordmark.ts'
import type { Heading } from './markdown/heading.ts'

/** A page that the navigation leads to. */
export interface NavigationEntry {
  /** Below `/docs`; empty for the first page. */
  name: string
  title: string
}

export interface NavigationGroup {
  title: string
  entries: NavigationEntry[]
}

export interface LayoutOptions extends NavigationEntry {
  navigation: NavigationGroup[]
  headings: Heading[]
  content: Html
  /** From the page to the service's base URL: the service can be served below a path. */
  root: string
}

/** Puts the content of a page between its navigation and the links to its neighbours. */
export function layOut(page: LayoutOptions): Html {
  const { title, navigation, content, root } = page
  return pageOf({
    title: `${title} · Age Verification Service`,
    style: `${root}docs.css`,
    listed: true,
    body: html`<a class="skip" href="#content">Skip to content</a>
<header><p><a href="${root}docs">${wordmark('Age verification')}</a> <span class="soft">Documentation</span></p></header>
<div class="columns">
<nav class="pages" aria-label="Documentation">
${navigation.map(group => renderGroup(group, page))}</nav>
<main id="content" tabindex="-1">
${content}
${neighbours(page)}
</main>
</div>`,
  })
}

function renderGroup({ title, entries }: NavigationGroup, page: LayoutOptions): Html {
  return html`<h2>${title}</h2>
<ul>
${entries.map(entry => html`<li>${entryLink(entry, page)}</li>\n`)}</ul>
`
}

function entryLink({ name, title }: NavigationEntry, { name: current, headings, root }: LayoutOptions): Html {
  const url = urlOf(name, root)
  if (name !== current) return html`<a href="${url}">${title}</a>`
  const parts = headings.map(
    ({ id, title: part, depth }) => html`<li class="depth-${depth}"><a href="#${id}">${part}</a></li>\n`,
  )
  return html`<a href="${url}" aria-current="page">${title}</a>${parts.length > 0 ? html`\n<ul class="parts">${parts}</ul>` : html``}`
}

/** Links to the previous and the next page. */
function neighbours({ name, navigation, root }: LayoutOptions): Html {
  const all = navigation.flatMap(({ entries }) => entries)
  const index = all.findIndex(entry => entry.name === name)
  const previous = all[index - 1]
  const next = all[index + 1]
  const link = (label: string, entry: NavigationEntry | undefined) =>
    entry ? html`<p>${label} <a href="${urlOf(entry.name, root)}">${entry.title}</a></p>` : html``
  return html`<nav class="neighbours" aria-label="Neighbouring pages">${link('Previous:', previous)}${link('Next:', next)}</nav>`
}

function urlOf(name: string, root: string): string {
  return name === '' ? `${root}docs` : `${root}docs/${name}`
}
