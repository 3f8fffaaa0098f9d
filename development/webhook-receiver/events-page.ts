import { z } from 'zod'
import { type Html, html } from '#server/pages/html/html.ts'
import { pageOf } from '#server/pages/html/page-of.ts'
import { wordmark } from '#server/pages/html/wordmark.ts'
import type { ReceivedEvent } from './event-store.ts'

/** The received events, the newest first. */
export function eventsPage(events: ReceivedEvent[], webhookUrl: string): Html {
  return pageOf({
    title: 'Webhook events · Local webhook receiver',
    style: '/events.css',
    body: html`<header>
<p class="brand">${wordmark('Age verification')} <span class="badge">Local webhook receiver</span></p>
<h1>Webhook events</h1>
<p class="lead">The events that the demo tenant’s webhook receiver got. It listens at <code>${webhookUrl}</code>, in place of your own server.</p>
</header>
<main>
${events.length === 0 ? emptyState() : list(events)}
</main>
<footer>
<p>The last 200 events are stored on this machine. To get them as JSON, <code>curl</code> this page’s URL.</p>
</footer>`,
  })
}

function emptyState(): Html {
  return html`<section class="card">
<h2>No events yet</h2>
<p>An event is sent when a verification is completed: start one with the curl command that <code>npm start</code> printed, open its <code>sessionUrl</code>, and choose a result.</p>
${refresh()}
</section>`
}

function list(events: ReceivedEvent[]): Html {
  const count = events.length === 1 ? '1 event' : `${events.length} events, the newest first`
  return html`<div class="bar count"><p>${count}</p>${refresh()}</div>
<ol class="events">
${events.map(event => eventCard(event))}
</ol>`
}

function refresh(): Html {
  return html`<p><a href="/events">Refresh</a></p>`
}

const completedEvent = z.object({ data: z.object({ verificationId: z.string(), status: z.string() }) })

function eventCard({ receivedAt, signature, headers, body, raw }: ReceivedEvent): Html {
  const event = completedEvent.safeParse(body).data
  return html`<li class="card ${signature}">
<div class="bar">
<h2>${event ? html`Verification <span class="status">${event.data.status}</span>` : 'Unknown event'}</h2>
${signatureBadge(signature)}
</div>
<dl>
${event ? row('Verification', html`<code>${event.data.verificationId}</code>`) : html``}
${row('Received', html`<time datetime="${receivedAt}">${receivedAt.replace('T', ' ').replace('Z', ' UTC')}</time>`)}
${Object.entries(headers).map(([name, value]) => row(headerName(name), html`<code>${value}</code>`))}
</dl>
<pre tabindex="0" aria-label="Body">${body === null ? raw : JSON.stringify(body, null, 2)}</pre>
<details><summary>Raw body (signed)</summary>
<pre class="raw" tabindex="0" aria-label="Raw body">${raw}</pre>
</details>
</li>
`
}

function signatureBadge(signature: ReceivedEvent['signature']): Html {
  return signature === 'valid'
    ? html`<p class="signature"><span aria-hidden="true">✓ </span>Valid signature, responded 200</p>`
    : html`<p class="signature"><span aria-hidden="true">✕ </span>Invalid signature, responded 401</p>`
}

function row(term: string, value: Html): Html {
  return html`<div><dt>${term}</dt><dd>${value}</dd></div>
`
}

/** `x-webhook-event` in the usual capitalization. */
function headerName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, letter => letter.toUpperCase())
}
