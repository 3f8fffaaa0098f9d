import type { Context } from 'koa'
import { type Html, html } from '#server/pages/html/html.ts'
import { type PageFrame, sendPage } from '../../page.ts'
import { isFinal, type Outcome, type Session, type SessionStatus } from '../session.ts'
import type { Delivery } from '../webhook/delivery.ts'

export const frame: PageFrame = {
  name: 'Identity check',
  badge: 'Local simulator',
  note: 'This page simulates the identity provider Veriff, so that you can try the whole flow on one machine. It is not Veriff, and never asks for documents, photos or personal data.',
  // The callback, to which a form redirects, may be on any host.
  formAction: ['https:', 'http:'],
}

/** Sends the page of a session in its current state; `error` is shown if the submitted form was invalid. */
export function sendSession(ctx: Context, session: Session, error?: string): void {
  const [title, text] = statusTexts[session.status]
  const { deliveries, vendorData } = session
  const content = html`<section class="card">
<h1>${title}</h1>
<p class="lead">${text}</p>
${error === undefined ? '' : html`<p class="error" role="alert">${error}</p>`}
${actions(session)}
${backLink(session)}
</section>
${deliveries.length === 0 ? '' : deliveryList(deliveries)}
${vendorData === null ? '' : html`<p class="hint">Reference <code>${vendorData}</code></p>`}`
  sendPage(ctx, frame, title, content)
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
<form method="post" action="${path}/decide"><button name="outcome" value="abandon">Leave without completing</button></form>
</div>`
    case 'submitted':
    case 'review':
      return html`<form method="post" action="${path}/decide"><ul class="choices">${choices(session)}</ul></form>`
    default:
      return html``
  }
}

function choices({ status }: Session): Html[] {
  return Object.entries(outcomeTexts)
    .filter(([outcome]) => outcome !== status)
    .map(
      ([outcome, [name, hint]]) => html`<li><button name="outcome" value="${outcome}">
<span>${name}</span> <span class="hint">${hint}</span>
</button></li>
`,
    )
}

function backLink(session: Session): Html {
  if (session.callback === null || !(isFinal(session) || session.status === 'review')) return html``
  const { host } = new URL(session.callback)
  return html`<p class="actions"><a class="button" href="${session.callback}">Back to ${host}</a></p>`
}

function deliveryList(deliveries: Delivery[]): Html {
  const items = deliveries.map(
    delivery => html`<li class="${delivery.state}">
<span>${delivery.title}</span> <span class="response">${describeDelivery(delivery)}</span></li>`,
  )
  return html`<section class="card"><h2>Webhooks sent to the service</h2><ol class="deliveries">${items}</ol></section>`
}

function describeDelivery({ state, status, error, nextTryAt }: Delivery): string {
  if (state === 'accepted') return 'Accepted (200)'
  if (state === 'held') return 'On hold'
  const response = status === null ? (error ?? 'no response yet') : `response ${status}`
  const next = nextTryAt === null ? 'no retry' : `next attempt at ${nextTryAt.slice(11, 19)} UTC`
  return `Not accepted (${response}), ${next}`
}

/** The choices, in the order of the page: a name and what it means. */
const outcomeTexts: Record<Outcome, [name: string, hint: string]> = {
  'approve-adult': ['Approve an adult', 'Identity confirmed, 34 years old.'],
  'approve-minor': ['Approve a minor', 'Identity confirmed, 15 years old.'],
  'approve-unknown-age': ['Approve, age unknown', 'Identity confirmed, no date of birth on the document.'],
  decline: ['Decline', 'A final decision, with a reason code.'],
  resubmission: ['Request a resubmission', 'The same link starts a new attempt.'],
  review: ['Send to manual review', 'You then choose the final decision here.'],
  abandon: ['Abandon', 'Started, but not completed in time.'],
  expire: ['Expire', 'Not opened in time.'],
}

const statusTexts: Record<SessionStatus, [title: string, text: string]> = {
  created: ['Ready to start', 'This check has not been started yet.'],
  started: [
    'Verify your age',
    'The real provider would now ask for a photo of a document and a selfie. This is a local simulator and asks for nothing: just submit.',
  ],
  submitted: [
    'Choose the result',
    'The check was submitted. Choose what the provider reports to the service.',
  ],
  review: ['In manual review', 'The check is under review. Choose the final result.'],
  approved: ['Approved', 'The identity was confirmed. No further action is needed.'],
  declined: ['Declined', 'The identity was not confirmed. No further action is needed.'],
  resubmission_requested: ['Please try again', 'Something was missing. The same link starts a new attempt.'],
  expired: ['This check has expired', 'The link was not opened in time. No further action is needed.'],
  abandoned: ['This check has ended', 'It was not completed in time. No further action is needed.'],
}
