import { type Html, html } from './html.ts'
import { iconUrl } from './wordmark.ts'

export interface PageParts {
  title: string
  /** URL of the style sheet, which starts with the theme. */
  style: string
  /** Whether search engines can index it. */
  listed?: boolean
  body: Html
}

/** Wraps content in a complete HTML page. */
export function renderPage({ title, style, listed = false, body }: PageParts): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${listed ? '' : html`<meta name="robots" content="noindex">\n`}<title>${title}</title>
<link rel="icon" href="${iconUrl}">
<link rel="stylesheet" href="${style}">
</head>
<body>
${body}
</body>
</html>
`
}
