import { type Html, html } from '../../../html/html.ts'
import { isFinal, type Session } from '../session/session.ts'
import type { Delivery } from '../webhook/delivery.ts'
import { decideForm } from './decide-form.ts'
import { deliveryList } from './delivery-list.ts'
import { layout } from './layout.ts'
import { statusTexts } from './outcome-texts.ts'

/** The page of a session in its present state; `problem` says what was wrong with what the person sent. */
export function sessionPage(session: Session, deliveries: Delivery[], problem?: string): string {
  const { title, text } = statusTexts[session.status]
  return layout(
    title,
    html`<section class="card" aria-labelledby="title">
${steps(session)}
<h1 id="title">${title}</h1>
<p class="lead">${text}</p>
${problem === undefined ? '' : html`<p class="alert" role="alert">${problem}</p>`}
${actions(session)}
${backLink(session)}
</section>
${deliveryList(deliveries)}
${session.vendorData === null ? '' : html`<p class="reference">Reference <code>${session.vendorData}</code></p>`}`,
  )
}

const stepNames = ['Start', 'Submit', 'Result']

function steps(session: Session): Html {
  const position = positionOf(session)
  const items = stepNames.map((name, index) => {
    if (index < position) return html`<li class="done">${name}<span class="hidden"> (done)</span></li>`
    return index === position ? html`<li aria-current="step">${name}</li>` : html`<li>${name}</li>`
  })
  return html`<ol class="steps" aria-label="Progress">${items}</ol>`
}

/** How many of the steps are behind the person. */
function positionOf(session: Session): number {
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
<form method="post" action="${path}/decide"><button class="quiet" name="outcome" value="abandon">Leave without finishing</button></form>
</div>`
    case 'submitted':
    case 'review':
      return decideForm(session)
    default:
      return html``
  }
}

function backLink(session: Session): Html {
  if (session.callback === null || !(isFinal(session) || session.status === 'review')) return html``
  return html`<p class="actions"><a class="button" href="${session.callback}">Back to ${new URL(session.callback).host}</a></p>`
}
