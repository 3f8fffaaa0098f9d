import type { Context } from 'koa'
import { type Html, html } from '../../pages/html/html.ts'
import { type PageFrame, sendPage } from '../../pages/html/simple-page.ts'
import { isFinal, type Outcome, type Session, type SessionStatus } from './session.ts'

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
  const content = html`<section class="card">
<h1>${title}</h1>
<p class="lead">${text}</p>
${session.isDown ? html`<p class="error">The provider does not answer the service about this check, until you choose a result.</p>` : ''}
${error === undefined ? '' : html`<p class="error" role="alert">${error}</p>`}
${actions(session, path)}
${backLink(session)}
</section>
<p class="hint">Reference <code>${session.verificationId}</code></p>`
  sendPage(ctx, frame, title, content)
}

/** What a user sees who leaves a session that is open, where there is no callback to go to. */
export function sendLeft(ctx: Context, frame: PageFrame, path: string, { status }: Session): void {
  const isSubmitted = status === 'submitted' || status === 'review'
  const [title, text, link] = isSubmitted ? leftSubmitted : leftUnfinished
  const content = html`<section class="card">
<h1>${title}</h1>
<p class="lead">${text}</p>
<p class="actions"><a class="button" href="${path}">${link}</a></p>
</section>`
  sendPage(ctx, frame, title, content)
}

const leftUnfinished = [
  'Cancelled',
  'Nothing was submitted, and the check stays open: the same link continues it. You can close this page.',
  'Continue',
] as const

const leftSubmitted = [
  'The result comes later',
  'The check was submitted, and is not decided. You can close this page, and open the same link again to choose the result.',
  'Choose the result',
] as const

function actions(session: Session, path: string): Html {
  const way = session.callback === null ? 'Leave this page' : 'Back to your return URL'
  switch (session.status) {
    case 'created':
    case 'resubmission_requested':
      return html`<p class="actions"><a class="button" href="${path}">Start</a></p>`
    case 'started':
      return html`<form method="post" action="${path}/submit"><p class="actions"><button class="button">Submit</button></p></form>
<ul class="choices">
<li><form action="${path}/leave"><button><span>Cancel</span>
<span class="hint">${way}, with nothing submitted. The check stays open, and the same link continues it.</span></button></form></li>
<li><form method="post" action="${path}/decide"><button name="outcome" value="abandon"><span>Abandon</span>
<span class="hint">The user never comes back. The check ends as after 7 days, and the verification is rejected.</span></button></form></li>
</ul>`
    case 'submitted':
    case 'review':
      return html`<ul class="choices">
<li><form action="${path}/leave"><button><span>Return before the result</span>
<span class="hint">${way}, with the result pending. Open the same link again to choose it.</span></button></form></li>
</ul>
<form method="post" action="${path}/decide">
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
  if (session.callback === null || !isFinal(session)) return html``
  return html`<p class="actions"><a class="button" href="${session.callback}">Back to your return URL</a></p>`
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
    'Submitted',
    'Return before there is a result, as most users do, or choose what the provider reports to the service.',
  ],
  review: [
    'In manual review',
    'The check is under review. Return before there is a result, or choose the final one.',
  ],
  approved: ['Approved', 'The identity was confirmed. No further action is needed.'],
  declined: ['Declined', 'The identity was not confirmed. No further action is needed.'],
  resubmission_requested: ['Please try again', 'Something was missing. The same link starts a new attempt.'],
  expired: ['This check has expired', 'The link was not opened in time. No further action is needed.'],
  abandoned: ['This check has ended', 'It was not completed in time. No further action is needed.'],
}
