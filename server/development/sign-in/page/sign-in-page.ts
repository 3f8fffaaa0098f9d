import { type Html, html } from '../../../html/html.ts'
import type { SignInUser } from '../options.ts'
import { layout } from './layout.ts'

export interface SignInPageOptions {
  users: SignInUser[]
  /** What stands in the field. */
  typed: string
  /** What is wrong with what stands there. */
  fault?: string
}

/** Pick a user, or type any subject: each is a plain form that posts `subject` to the page's own address. */
export function signInPage({ users, typed, fault }: SignInPageOptions): Html {
  return layout(
    fault ? 'Error: Sign in' : 'Sign in',
    html`<h1>Sign in</h1>
<p class="lead">Choose who to be. There are no passwords here: this page is for trying the service on one machine, and stands in for your own identity provider.</p>
${users.length > 0 ? offeredUsers(users) : ''}
${subjectForm(typed, fault)}`,
  )
}

function offeredUsers(users: SignInUser[]): Html {
  return html`<form method="post">
<ul class="users" aria-label="Users">
${users.map(
  user => html`<li><button name="subject" value="${user.subject}" class="user">
<span class="name">${user.name}</span>
<span class="hint">${user.hint}</span>
<span class="email">${user.email}</span>
</button></li>
`,
)}</ul>
</form>`
}

function subjectForm(typed: string, fault: string | undefined): Html {
  return html`<form method="post" class="other" novalidate>
<h2><label for="subject">Or as anybody else</label></h2>
<p class="hint" id="subject-hint">Any subject, such as a user ID or an email address. It becomes the token’s <code>sub</code>.</p>
${fault ? html`<p class="fault" id="subject-fault">${fault}</p>` : ''}
<div class="field">
<input id="subject" name="subject" value="${typed}" maxlength="255" required autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="subject-hint${fault ? ' subject-fault' : ''}"${fault ? html` aria-invalid="true" autofocus` : ''}>
<button class="quiet">Sign in</button>
</div>
</form>`
}
