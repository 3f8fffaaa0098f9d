import { type Html, html } from '../../../page/html.ts'

export function layout(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Identity check (local stand-in)</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/page.css">
</head>
<body>
<header class="bar">
<p class="brand">Identity check <span class="badge">Local stand-in</span></p>
</header>
<main>
${content}
</main>
<footer>
<p>This page stands in for the identity provider Veriff, so that the whole journey can be tried on one machine. It is not Veriff. It never asks for documents, photos or personal data.</p>
</footer>
</body>
</html>
`.markup
}
