import type { RequestListener } from 'node:http'
import Koa from 'koa'
import { z } from 'zod'
import { type Html, html } from '#server/pages/html/html.ts'
import { type PageFrame, sendPage, sendStyle } from '#server/pages/html/simple-page.ts'
import type { ReceivedEvent } from './receive-events.ts'

const frame: PageFrame = {
  name: 'Age verification',
  badge: 'Local webhook receiver',
  note: 'The last 200 events since the start. To get them as JSON, curl this page’s URL.',
  formAction: ["'none'"],
}

/** Serves the received events: as JSON, or as a page if the client prefers HTML. */
export function createEventsPage(events: readonly ReceivedEvent[], webhookUrl: string): RequestListener {
  const app = new Koa().use(ctx => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return
    if (ctx.path === '/') ctx.redirect('/events')
    if (ctx.path === '/page.css') sendStyle(ctx)
    if (ctx.path !== '/events') return
    ctx.vary('Accept')
    if (ctx.accepts('json', 'html') === 'html') {
      sendPage(ctx, frame, 'Webhook events', eventList(events, webhookUrl))
    } else ctx.body = { items: events }
  })
  return app.callback()
}

function eventList(events: readonly ReceivedEvent[], webhookUrl: string): Html {
  const refresh = html`<p><a href="/events">Refresh</a></p>`
  return html`<h1>Webhook events</h1>
<p class="lead">The events that the demo tenant’s webhook receiver got, the newest first. It listens at <code>${webhookUrl}</code>, in place of your own server.</p>
${refresh}
${
  events.length === 0
    ? html`<section class="card">
<h2>No events yet</h2>
<p>An event is sent when a verification is completed: start one with the curl command that <code>npm start</code> printed, open its <code>sessionUrl</code>, and choose a result.</p>
</section>`
    : events.map(eventCard)
}`
}

const summary = z.object({ data: z.object({ verificationId: z.string(), status: z.string() }) })

function eventCard({ receivedAt, signature, headers, body, raw }: ReceivedEvent): Html {
  const event = summary.safeParse(body).data?.data
  const badge =
    signature === 'valid' ? '✓ Valid signature, responded 200' : '✕ Invalid signature, responded 401'
  return html`<article class="card">
<h2>${event ? html`Verification ${event.status}` : 'Unknown event'} <span class="badge ${signature}">${badge}</span></h2>
<dl>
${event ? row('Verification', html`<code>${event.verificationId}</code>`) : ''}
${row('Received', html`<time datetime="${receivedAt}">${receivedAt.replace('T', ' ').replace('Z', ' UTC')}</time>`)}
${Object.entries(headers).map(([name, value]) => row(name, html`<code>${value}</code>`))}
</dl>
<pre tabindex="0" aria-label="Body">${body === null ? raw : JSON.stringify(body, null, 2)}</pre>
<details><summary>Raw body (signed)</summary>
<pre tabindex="0" aria-label="Raw body">${raw}</pre>
</details>
</article>
`
}

function row(term: string, value: Html): Html {
  return html`<div><dt>${term}</dt><dd>${value}</dd></div>
`
}
