import { type Html, html } from './html.ts'
import { iconUrl } from './wordmark.ts'

interface PageParts {
  title: string
  /** URL of the style sheet, which starts with the theme. */
  style: string
  /** Whether search engines can index it. */
  listed?: boolean
  /** URL of the picture that chats and social networks show beside a link to the page. */
  picture?: string
  body: Html
}

/** Wraps content in a complete HTML page. */
export function renderPage({ title, style, listed = false, picture, body }: PageParts): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${listed ? '' : html`<meta name="robots" content="noindex">\n`}<title>${title}</title>
${picture === undefined ? '' : html`<meta property="og:title" content="${title}">\n<meta property="og:image" content="${picture}">\n<meta name="twitter:card" content="summary_large_image">\n`}<link rel="icon" href="${iconUrl}">
<link rel="stylesheet" href="${style}">
</head>
<body>
${body}
</body>
</html>
`
}
