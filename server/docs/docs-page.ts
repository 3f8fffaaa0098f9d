import { type Html, html } from '../html/html.ts'
import { pageOf } from '../html/page-of.ts'
import type { Operation } from './operations-of.ts'
import type { Section } from './section.ts'
import { authenticationSection } from './sections/authentication.ts'
import { endpointsSection } from './sections/endpoints.ts'
import { errorsSection } from './sections/errors.ts'
import { limitsSection } from './sections/limits.ts'
import { quickstartSection } from './sections/quickstart.ts'
import { tokensSection } from './sections/tokens.ts'
import { webhooksSection } from './sections/webhooks.ts'

/** The documentation of the tenant API. Its links are relative, because the service can be served below a path. */
export function docsPage(operations: Operation[], baseUrl: string): Html {
  const sections: Section[] = [
    quickstartSection(baseUrl),
    authenticationSection(),
    endpointsSection(operations, baseUrl),
    webhooksSection(),
    tokensSection(baseUrl),
    errorsSection(),
    limitsSection(),
  ]
  return pageOf({
    title: 'Tenant API · Age Verification Service',
    style: 'docs.css',
    listed: true,
    body: html`<a class="skip" href="#content">Skip to content</a>
<header>
<h1>Tenant API</h1>
<p class="lead">Verify that a person is 18 or over, without storing their documents. The API uses JSON over HTTP at <code>${baseUrl}</code>. Its OpenAPI 3.1 document is <a href="openapi.json">openapi.json</a>.</p>
</header>
<div class="columns">
<nav aria-label="Contents">
<ul>
${sections.map(({ id, title }) => contentsEntry(id, title, id === 'endpoints' ? operations : []))}</ul>
</nav>
<main id="content" tabindex="-1">
${sections.map(renderSection)}</main>
</div>`,
  })
}

function contentsEntry(id: string, title: string, operations: Operation[]): Html {
  return html`<li><a href="#${id}">${title}</a>${operations.length > 0 ? endpointLinks(operations) : ''}</li>
`
}

function endpointLinks(operations: Operation[]): Html {
  return html`<ul>${operations.map(
    ({ id, method, path }) => html`<li><a href="#${id}"><span class="method">${method}</span> ${path}</a></li>
`,
  )}</ul>`
}

function renderSection({ id, title, content }: Section): Html {
  return html`<section class="chapter" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>
`
}
