import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Koa from 'koa'
import { type Html, html } from '#server/pages/html/html.ts'
import { pageOf } from '#server/pages/html/page-of.ts'
import { theme } from '#server/pages/html/theme.ts'
import { wordmark } from '#server/pages/html/wordmark.ts'
import type { EventStore, StoredEvent } from './event-store.ts'
import { readSummary } from './event-summary.ts'

const style = theme + readFileSync(join(import.meta.dirname, 'events.css'), 'utf8')

const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Serves the received events: as JSON, or as a page if the client prefers HTML. */
export function createEventsPage(events: EventStore, webhookUrl: string): Koa {
  return new Koa().use(ctx => {
    ctx.set(headers)
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return
    if (ctx.path === '/') ctx.redirect('/events')
    if (ctx.path === '/events.css') {
      ctx.type = 'css'
      ctx.body = style
    }
    if (ctx.path !== '/events') return
    ctx.vary('Accept')
    const items = events.newestFirst()
    if (ctx.accepts('json', 'html') === 'html') {
      ctx.type = 'html'
      ctx.body = eventsPage(items, webhookUrl).markup
    } else ctx.body = { items }
  })
}

function eventsPage(events: StoredEvent[], webhookUrl: string): Html {
  const count = events.length === 1 ? '1 event' : `${events.length} events, the newest first`
  const refresh = html`<p><a href="/events">Refresh</a></p>`
  return pageOf({
    title: 'Webhook events · Local webhook receiver',
    style: '/events.css',
    body: html`<header>
<p class="brand">${wordmark('Age verification')} <span class="badge">Local webhook receiver</span></p>
<h1>Webhook events</h1>
<p class="lead">The events that the demo tenant’s webhook receiver got. It listens at <code>${webhookUrl}</code>, in place of your own server.</p>
</header>
<main>
${
  events.length === 0
    ? html`<section class="card">
<h2>No events yet</h2>
<p>An event is sent when a verification is completed: start one with the curl command that <code>npm start</code> printed, open its <code>sessionUrl</code>, and choose a result.</p>
${refresh}
</section>`
    : html`<div class="bar dimmed"><p>${count}</p>${refresh}</div>
${events.map(eventCard)}`
}
</main>
<footer>
<p class="dimmed">The last 200 events are stored on this machine. To get them as JSON, <code>curl</code> this page’s URL.</p>
</footer>`,
  })
}

function eventCard({ receivedAt, signature, headers, body, raw }: StoredEvent): Html {
  const event = readSummary(body)
  const badge =
    signature === 'valid' ? '✓ Valid signature, responded 200' : '✕ Invalid signature, responded 401'
  return html`<article class="card">
<div class="bar">
<h2>${event ? html`Verification ${event.status}` : 'Unknown event'}</h2>
<p class="badge ${signature}">${badge}</p>
</div>
<dl>
${event ? row('Verification', html`<code>${event.verificationId}</code>`) : ''}
${row('Received', html`<time datetime="${receivedAt}">${receivedAt.replace('T', ' ').replace('Z', ' UTC')}</time>`)}
${Object.entries(headers).map(([name, value]) => row(headerName(name), html`<code>${value}</code>`))}
</dl>
<pre tabindex="0" aria-label="Body">${body === null ? raw : JSON.stringify(body, null, 2)}</pre>
<details><summary>Raw body (signed)</summary>
<pre class="raw" tabindex="0" aria-label="Raw body">${raw}</pre>
</details>
</article>
`
}

function row(term: string, value: Html): Html {
  return html`<div><dt>${term}</dt><dd>${value}</dd></div>
`
}

/** `x-webhook-event` in the usual capitalization. */
function headerName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, letter => letter.toUpperCase())
}
