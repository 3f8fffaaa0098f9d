import { type Html, html } from '../html/html.ts'
import { pageOf } from '../html/page-of.ts'
import type { Operation } from './operations-of.ts'
import { authenticationPart } from './part/authentication.ts'
import { endpointsPart } from './part/endpoints.ts'
import { errorsPart } from './part/errors.ts'
import { firstStepsPart } from './part/first-steps.ts'
import { limitsPart } from './part/limits.ts'
import { tokensPart } from './part/tokens.ts'
import { webhooksPart } from './part/webhooks.ts'
import type { Part } from './part.ts'

/** The documents of the tenant API, for people. Its own addresses are relative: there can be a path before them. */
export function docsPage(operations: Operation[], baseUrl: string): Html {
  const parts: Part[] = [
    firstStepsPart(baseUrl),
    authenticationPart(),
    endpointsPart(operations, baseUrl),
    webhooksPart(),
    tokensPart(baseUrl),
    errorsPart(),
    limitsPart(),
  ]
  return pageOf({
    title: 'Tenant API · Age Verification Service',
    style: 'docs.css',
    listed: true,
    body: html`<a class="skip" href="#content">Skip to the content</a>
<header>
<h1>Tenant API</h1>
<p class="lead">Verify that a person is 18 or over, and keep only the answer. Everything here is JSON over HTTP at <code>${baseUrl}</code>; the same for programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
</header>
<div class="columns">
<nav aria-label="Contents">
<ul>
${parts.map(
  ({
    id,
    title,
  }) => html`<li><a href="#${id}">${title}</a>${id === 'endpoints' ? endpointLinks(operations) : ''}</li>
`,
)}</ul>
</nav>
<main id="content" tabindex="-1">
${parts.map(
  ({ id, title, content }) => html`<section class="part" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>
`,
)}</main>
</div>`,
  })
}

function endpointLinks(operations: Operation[]): Html {
  return html`<ul>${operations.map(
    ({ id, method, path }) => html`<li><a href="#${id}"><span class="method">${method}</span> ${path}</a></li>
`,
  )}</ul>`
}
