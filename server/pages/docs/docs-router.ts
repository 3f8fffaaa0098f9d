import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Router } from '@koa/router'
import type { Context } from 'koa'
import { workInTurns } from '#domain/fairness/work-in-turns.ts'
import type { Features } from '#rest/router.ts'
import { Asset, sendAsset } from '../dashboard/asset.ts'
import { acceptsHtml } from '../html/accepts-html.ts'
import { html } from '../html/html.ts'
import { theme } from '../html/theme.ts'
import { apiReference } from './api-reference.ts'
import {
  downloadsFile,
  linkUrl,
  pageUrl,
  readDocument,
  readGroups,
  referenceFile,
  repositoryFolder,
} from './documents.ts'
import { listDownloads, readDownloads } from './downloads.ts'
import { layOut, type Page } from './layout.ts'
import { llmsText, markdownUrl, toMarkdown } from './markdown.ts'
import { readOpenApi } from './openapi-document.ts'
import { renderMarkdown } from './render-markdown.ts'
import { createSearch } from './search.ts'

export const pagePolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; font-src data:; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
export const cacheControl = 'public, max-age=300'

/**
 * Serves the documentation at `/docs`: a page for each document, the reference of the API, and a search; each page as Markdown,
 * too, and the list of these at `/llms.txt`. What does not exist
 * is passed to the next middleware, except that browsers get a page in place of a missing one.
 */
export async function docsRouter(baseUrl: string, features: Features): Promise<Router> {
  const router = new Router({ strict: true, sensitive: true })
  const downloads = readDownloads()
  const { pages, markdown, llms, searchPage, missingPage } = await renderDocumentation(
    baseUrl,
    features,
    downloads,
  )
  const files = new Map(
    [...staticFiles(), ...downloads, ...pages, ...markdown, llms].map(file => [
      file.path.replace(/\.html$/, ''),
      file,
    ]),
  )
  router.get('/docs/', ctx => ctx.redirect(`${baseUrl}/docs`))
  router.get('/docs/llms.txt', ctx => ctx.redirect(`${baseUrl}/llms.txt`))
  // Each takes milliseconds.
  const turnOfSearch = workInTurns(1)
  router.get('/docs/search', async ctx => {
    await turnOfSearch()
    sendPage(ctx, searchPage([ctx.query.q ?? ''].flat().join(' ')))
  })
  // A path for each file, so that an error names the method of those that exist only.
  router.get([...files.keys()], (ctx, next) => {
    const file = files.get(ctx.path)
    if (!file) return next()
    if (file.path.endsWith('.html')) return sendDocument(ctx, file, files.get(`${ctx.path}.md`)!, baseUrl)
    if (downloads.includes(file)) return sendDownload(ctx, file)
    return isProgram(file) ? sendProgram(ctx, file) : sendAsset(ctx, file, cacheControl)
  })
  router.get('/docs/:page', (ctx, next) => (acceptsHtml(ctx) ? sendPage(ctx, missingPage, 404) : next()))
  return router
}

/** As a page, or as Markdown for a program that prefers it. */
async function sendDocument(ctx: Context, page: Asset, markdown: Asset, baseUrl: string): Promise<void> {
  ctx.vary('Accept')
  if (ctx.accepts('html', 'text/markdown') === 'text/markdown')
    return await sendAsset(ctx, markdown, cacheControl)
  ctx.set('Content-Security-Policy', pagePolicy)
  ctx.append('Link', `<${baseUrl}${markdown.path}>; rel="alternate"; type="text/markdown"`)
  await sendAsset(ctx, page, cacheControl)
}

/** As a file to be stored: no browser shows it, and its type is not guessed from its name. */
async function sendDownload(ctx: Context, file: Asset): Promise<void> {
  ctx.attachment(file.path)
  await sendAsset(ctx, file, cacheControl)
  ctx.type = 'application/octet-stream'
}

/** Shown as text, also where its type is another one. */
async function sendProgram(ctx: Context, file: Asset): Promise<void> {
  await sendAsset(ctx, file, cacheControl)
  ctx.type = 'text/plain; charset=utf-8'
}

function isProgram({ path }: Asset): boolean {
  return path.startsWith('/docs/samples/')
}

function sendPage(ctx: Context, markup: string, status = 200): void {
  ctx.set('Content-Security-Policy', pagePolicy)
  ctx.status = status
  ctx.type = 'html'
  ctx.body = markup
}

/** Named by their URLs. */
function staticFiles(): Asset[] {
  const read = (folder: string) =>
    readdirSync(join(repositoryFolder, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => file.includes('.'))
      .map(file => new Asset(`/${folder}/${file}`, readFileSync(join(repositoryFolder, folder, file))))
  const own = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
  return [
    new Asset('/docs.css', Buffer.from(theme + own('docs.css'))),
    new Asset('/docs.js', Buffer.from(own('docs.js'))),
    ...read('docs/images'),
    ...read('docs/samples'),
  ]
}

const missing = html`<h1>Page not found</h1>
<p>There is no page at this address. Search for it above, or choose one from the list.</p>`

/**
 * Renders the documents and the reference of the API, as pages and as Markdown, named by their URLs, the list of them for
 * programs, the page that shows what a query finds, and the one for a URL without a page. Other requests are served between the pages.
 */
async function renderDocumentation(baseUrl: string, features: Features, downloads: readonly Asset[]) {
  const groups = readGroups()
  const documents = groups.flatMap(group => group.documents)
  const pages: Page[] = []
  const markdown: Asset[] = []
  const generated: Record<string, () => string> = {
    [referenceFile]: () => apiReference(baseUrl, readOpenApi(baseUrl, features)),
    [downloadsFile]: () => readDocument(downloadsFile) + listDownloads(downloads),
  }
  for (const document of documents) {
    const text = generated[document.file]?.() ?? readDocument(document.file)
    const rendered = renderMarkdown(text, href => linkUrl(href, document, documents))
    pages.push({ ...document, ...rendered, markdown: markdownUrl(document.name, baseUrl) })
    const bytes = Buffer.from(toMarkdown(text, document, documents, baseUrl))
    markdown.push(new Asset(`/${pageUrl(document.name, '')}.md`, bytes))
    await setImmediate()
  }
  const search = await createSearch(pages)
  return {
    pages: pages.map(page => {
      const { markup } = layOut(page, groups, baseUrl)
      return new Asset(`/${pageUrl(page.name, '')}.html`, Buffer.from(markup))
    }),
    markdown,
    llms: new Asset('/llms.txt', Buffer.from(llmsText(groups, baseUrl))),
    searchPage(query: string): string {
      const content = html`<h1>Search</h1>\n${search(query, 'search')}`
      return layOut({ name: 'search', title: 'Search', sections: [], content, query }, groups, baseUrl).markup
    },
    missingPage: layOut(
      { name: 'missing', title: 'Page not found', sections: [], content: missing },
      groups,
      baseUrl,
    ).markup,
  }
}
