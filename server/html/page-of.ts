import { type Html, html } from './html.ts'

export interface PageParts {
  title: string
  /** Address of the style sheet, which begins with the theme. */
  style: string
  /** Address of the icon; an empty one by default, so that browsers ask for none. */
  icon?: string
  /** Whether search engines may list it. */
  listed?: boolean
  body: Html
}

/** A whole page: what every one has around its content. */
export function pageOf({ title, style, icon = 'data:,', listed = false, body }: PageParts): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${listed ? '' : html`<meta name="robots" content="noindex">\n`}<title>${title}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${style}">
</head>
<body>
${body}
</body>
</html>
`
}
