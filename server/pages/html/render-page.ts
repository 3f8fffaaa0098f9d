import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Html, html } from './html.ts'

interface PageParts {
  title: string
  /** URL of the style sheet, which starts with the theme. */
  style: string
  /** Whether search engines can index it. */
  listed?: boolean
  /** URL of the picture that chats and social networks show beside a link to the page. */
  picture?: string
  /** URL of the same as Markdown. */
  markdown?: string | undefined
  body: Html
}

/** Wraps content in a complete HTML page. */
export function renderPage({ title, style, listed = false, picture, markdown, body }: PageParts): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${listed ? '' : html`<meta name="robots" content="noindex">\n`}<title>${title}</title>
${picture === undefined ? '' : html`<meta property="og:title" content="${title}">\n<meta property="og:image" content="${picture}">\n<meta name="twitter:card" content="summary_large_image">\n`}${markdown === undefined ? '' : html`<link rel="alternate" type="text/markdown" href="${markdown}">\n`}<link rel="icon" href="${iconUrl}">
<link rel="stylesheet" href="${style}">
</head>
<body>
${body}
</body>
</html>
`
}

/** The same as the dashboard's. */
const icon = readFileSync(join(import.meta.dirname, 'icon.svg'), 'utf8').trim()

const glyph = new Html(
  icon.replace(/<title>.*<\/title>/, '').replace('<svg ', '<svg width="24" height="24" aria-hidden="true" '),
)

/** The icon and a name, as in the header of every page. */
export function wordmark(name: string): Html {
  return html`<span class="wordmark">${glyph}${name}</span>`
}

/** The icon as the URL of an image, which a page's content security policy must allow. */
const iconUrl = `data:image/svg+xml,${encodeURIComponent(icon)}`
