import type { Context } from 'koa'
import { type Html, html } from '../../pages/html/html.ts'
import { type PageFrame, sendPage } from '../../pages/html/simple-page.ts'
import { isFinal, type Outcome, type Session, type SessionStatus } from '../session.ts'

export function createFrame(pagesPath: string): PageFrame {
  return {
    name: 'Identity check',
    badge: 'Test',
    note: 'This page simulates the identity provider Veriff, so that you can try the whole flow. It is not Veriff, checks nobody, and never asks for documents, photos or personal data.',
    style: `${pagesPath}/page.css`,
    // The callback, to which a form redirects, may be on any host.
    formAction: ['https:', 'http:'],
  }
}

/** Sends the page of a session in its current state; `error` is shown if the submitted form was invalid. */
export function sendSession(
  ctx: Context,
  frame: PageFrame,
  path: string,
  session: Session,
  error?: string,
): void {
  const [title, text] = statusTexts[session.status]
  const { vendorData } = session
  const content = html`<section class="card">
<h1>${title}</h1>
<p class="lead">${text}</p>
${session.isDown ? html`<p class="error">The provider does not answer the service about this check, until you choose a result.</p>` : ''}
${error === undefined ? '' : html`<p class="error" role="alert">${error}</p>`}
${actions(session, path)}
${backLink(session)}
</section>
${vendorData === null ? '' : html`<p class="hint">Reference <code>${vendorData}</code></p>`}`
  sendPage(ctx, frame, title, content)
}

function actions(session: Session, path: string): Html {
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
      return html`<form method="post" action="${path}/decide">
<p class="actions"><label><input type="checkbox" name="lostCallback"> Lose the callback, so that the result has to be polled</label></p>
<ul class="choices">${choices(session)}</ul></form>`
    default:
      return html``
  }
}

function choices({ status, isDown }: Session): Html[] {
  return Object.entries(choiceTexts)
    .filter(([choice]) => choice !== status && !(isDown && choice === 'provider-down'))
    .map(
      ([choice, [name, hint]]) => html`<li><button name="outcome" value="${choice}">
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

/** The choices, in the order of the page: a name and what it means. */
const choiceTexts: Record<Outcome | 'provider-down', [name: string, hint: string]> = {
  'approve-adult': ['Approve an adult', 'Identity confirmed, 34 years old.'],
  'approve-minor': ['Approve a minor', 'Identity confirmed, 15 years old.'],
  'approve-unknown-age': ['Approve, age unknown', 'Identity confirmed, no date of birth on the document.'],
  decline: ['Decline', 'A final decision, with a reason code.'],
  resubmission: ['Request a resubmission', 'The same link starts a new attempt.'],
  review: ['Send to manual review', 'You then choose the final decision here.'],
  abandon: ['Abandon', 'Started, but not completed in time.'],
  expire: ['Expire', 'Not opened in time.'],
  'provider-down': ['Take the provider down', 'It does not answer the service about this check.'],
}

const statusTexts: Record<SessionStatus, [title: string, text: string]> = {
  created: ['Ready to start', 'This check has not been started yet.'],
  started: [
    'Verify your age',
    'The real provider would now ask for a photo of a document and a selfie. This page asks for nothing: just submit.',
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
