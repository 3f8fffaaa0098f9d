import { type Html, html } from '../../../html/html.ts'
import { pageOf } from '../../../html/page-of.ts'
import type { ReceivedEvent } from '../received-event.ts'
import { eventCard } from './event-card.ts'

/** What the receiver got, the newest first. */
export function eventsPage(events: ReceivedEvent[], webhookUrl: string): Html {
  return pageOf({
    title: 'Events · Local receiver',
    style: '/events.css',
    body: html`<header>
<p class="badge">Local receiver</p>
<h1>Events</h1>
<p class="lead">What the demo tenant’s webhook receiver got. It listens at <code>${webhookUrl}</code> and stands in for a server of your own.</p>
</header>
<main>
${events.length === 0 ? nothingYet() : list(events)}
</main>
<footer>
<p>Kept on this machine, the last 200. The same as JSON: <code>curl</code> this page’s address.</p>
</footer>`,
  })
}

function nothingYet(): Html {
  return html`<section class="card">
<h2>Nothing yet</h2>
<p>An event arrives when a verification is completed: start one with the curl line that <code>npm start</code> printed, open its <code>sessionUrl</code>, and choose a result.</p>
${refresh()}
</section>`
}

function list(events: ReceivedEvent[]): Html {
  const count = events.length === 1 ? '1 event' : `${events.length} events`
  return html`<div class="bar tally"><p>${count}, the newest first</p>${refresh()}</div>
<ol class="events">
${events.map(event => eventCard(event))}
</ol>`
}

function refresh(): Html {
  return html`<p><a href="/events">Look again</a></p>`
}
