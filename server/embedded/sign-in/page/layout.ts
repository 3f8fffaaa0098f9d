import { type Html, html } from '../../../page/html.ts'

export function layout(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Development sign-in</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/sign-in.css">
</head>
<body>
<main>
<p class="badge">Development sign-in</p>
${content}
</main>
</body>
</html>
`
}
