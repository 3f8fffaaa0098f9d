import { type Html, html } from '#server/pages/html/html.ts'
import { pageOf } from '#server/pages/html/page-of.ts'
import { wordmark } from '#server/pages/html/wordmark.ts'
import { isFinal, type Session } from '../session.ts'
import type { Delivery } from '../webhook/delivery.ts'
import { outcomeGroups, statusTexts } from './texts.ts'

/** The page of a session in its current state; `error` is shown if the submitted form was invalid. */
export function sessionPage(session: Session, deliveries: Delivery[], error?: string): string {
  const { title, text } = statusTexts[session.status]
  return layout(
    title,
    html`<section class="card" aria-labelledby="title">
${steps(session)}
<h1 id="title">${title}</h1>
<p class="lead">${text}</p>
${error === undefined ? '' : html`<p class="alert" role="alert">${error}</p>`}
${actions(session)}
${backLink(session)}
</section>
${deliveryList(deliveries)}
${session.vendorData === null ? '' : html`<p class="reference">Reference <code>${session.vendorData}</code></p>`}`,
  )
}

/** A page with a message instead of a session. */
export function messagePage(title: string, message: string): string {
  return layout(
    title,
    html`<section class="card" aria-labelledby="title"><h1 id="title">${title}</h1><p class="lead">${message}</p></section>`,
  )
}

function layout(title: string, content: Html): string {
  return pageOf({
    title: `${title} · Identity check (local simulator)`,
    style: '/assets/page.css',
    body: html`<header class="bar">
<p class="brand">${wordmark('Identity check')} <span class="badge">Local simulator</span></p>
</header>
<main>
${content}
</main>
<footer>
<p>This page simulates the identity provider Veriff, so that you can try the whole flow on one machine. It is not Veriff, and never asks for documents, photos or personal data.</p>
</footer>`,
  }).markup
}

const stepNames = ['Start', 'Submit', 'Result']

function steps(session: Session): Html {
  const completed = completedSteps(session)
  const items = stepNames.map((name, index) => {
    if (index < completed) return html`<li class="done">${name}<span class="hidden"> (done)</span></li>`
    return index === completed ? html`<li aria-current="step">${name}</li>` : html`<li>${name}</li>`
  })
  return html`<ol class="steps" aria-label="Progress">${items}</ol>`
}

function completedSteps(session: Session): number {
  if (isFinal(session)) return stepNames.length
  if (session.status === 'submitted' || session.status === 'review') return 2
  return session.status === 'started' ? 1 : 0
}

function actions(session: Session): Html {
  const path = `/v/${session.token}`
  switch (session.status) {
    case 'created':
    case 'resubmission_requested':
      return html`<p class="actions"><a class="button" href="${path}">Start</a></p>`
    case 'started':
      return html`<div class="actions">
<form method="post" action="${path}/submit"><button class="button">Submit</button></form>
<form method="post" action="${path}/decide"><button class="quiet" name="outcome" value="abandon">Leave without completing</button></form>
</div>`
    case 'submitted':
    case 'review':
      return decideForm(session)
    default:
      return html``
  }
}

function decideForm(session: Session): Html {
  const groups = outcomeGroups.map(
    ({ title, choices }) => html`<fieldset>
<legend>${title}</legend>
${choices.filter(({ outcome }) => outcome !== session.status).map(choice)}
</fieldset>`,
  )
  return html`<form class="decide" method="post" action="/v/${session.token}/decide">
${groups}
<p class="actions"><button class="button">Send the result</button></p>
</form>`
}

function choice({ outcome, label, hint }: { outcome: string; label: string; hint: string }): Html {
  const id = `outcome-${outcome}`
  return html`<div class="choice">
<input type="radio" name="outcome" id="${id}" value="${outcome}" aria-describedby="${id}-hint" required>
<label for="${id}">${label}</label>
<p class="hint" id="${id}-hint">${hint}</p>
</div>`
}

function backLink(session: Session): Html {
  if (session.callback === null || !(isFinal(session) || session.status === 'review')) return html``
  return html`<p class="actions"><a class="button" href="${session.callback}">Back to ${new URL(session.callback).host}</a></p>`
}

function deliveryList(deliveries: Delivery[]): Html {
  if (deliveries.length === 0) return html``
  return html`<section class="card deliveries" aria-labelledby="deliveries-title">
<h2 id="deliveries-title">Webhooks sent to the service</h2>
<ol>${deliveries.map(deliveryItem)}</ol>
</section>`
}

function deliveryItem(delivery: Delivery): Html {
  const accepted = delivery.state === 'accepted'
  return html`<li class="${accepted ? 'accepted' : 'pending'}"><span class="what">${delivery.title}</span>
<span class="response">${deliveryText(delivery)}</span></li>`
}

function deliveryText(delivery: Delivery): string {
  const response =
    delivery.status === null ? (delivery.error ?? 'no response yet') : `response ${delivery.status}`
  switch (delivery.state) {
    case 'accepted':
      return 'Accepted (200)'
    case 'given-up':
      return `Not accepted (${response}), no retry`
    case 'held':
      return 'On hold'
    case 'waiting':
      return `Not accepted (${response}), next attempt ${timeOf(delivery.nextTryAt)}`
  }
}

function timeOf(time: string | null): string {
  return time === null ? 'soon' : `at ${time.slice(11, 19)} UTC`
}
