import { type Html, html } from '../../../html/html.ts'
import type { Session } from '../session/session.ts'
import { outcomeGroups } from './outcome-texts.ts'

export function decideForm(session: Session): Html {
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
