import { type Html, html } from '#server/pages/html/html.ts'
import { pageOf } from '#server/pages/html/page-of.ts'
import { wordmark } from '#server/pages/html/wordmark.ts'
import type { SignInUser } from './sign-in-options.ts'

export interface SignInPageOptions {
  users: SignInUser[]
  /** The value of the subject field. */
  entered: string
  /** The validation error of that value. */
  error?: string
}

/** Choose a user or enter any subject: each form posts `subject` to the page's URL. */
export function signInPage({ users, entered, error }: SignInPageOptions): Html {
  return layout(
    error ? 'Error: Sign in' : 'Sign in',
    html`<h1>Sign in</h1>
<p class="lead">Choose a user. There are no passwords: this local page replaces your identity provider, so that you can try the service on one machine.</p>
${users.length > 0 ? userList(users) : ''}
${subjectForm(entered, error)}`,
  )
}

interface PageContext {
  type: string
  body: unknown
  set(headers: Record<string, string>): void
}

/** Sends a page with a heading and a sentence. */
export function showMessage(ctx: PageContext, { title, message }: { title: string; message: string }): void {
  sendPage(ctx, layout(title, html`<h1>${title}</h1>\n<p class="lead">${message}</p>`))
}

/** Sends a page that can load only its style sheet and its icon, and post only to itself and `formTargets`. */
export function sendPage(ctx: PageContext, page: Html, formTargets: string[] = []): void {
  ctx.set({
    'cache-control': 'no-store',
    'content-security-policy':
      `default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'; ` +
      `form-action ${["'self'", ...formTargets].join(' ')}`,
    // With no-referrer, the page's own forms would be sent with `Origin: null`.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  ctx.type = 'html'
  ctx.body = page.markup
}

function layout(title: string, content: Html): Html {
  return pageOf({
    title: `${title} · Development sign-in`,
    style: '/sign-in.css',
    body: html`<main class="card">
<p class="brand">${wordmark('Age verification')} <span class="badge">Development sign-in</span></p>
${content}
</main>`,
  })
}

function userList(users: SignInUser[]): Html {
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

function subjectForm(entered: string, error: string | undefined): Html {
  return html`<form method="post" class="other" novalidate>
<h2><label for="subject">Sign in as another user</label></h2>
<p class="hint" id="subject-hint">Any subject, such as a user ID or an email address. It becomes the token’s <code>sub</code> claim.</p>
${error ? html`<p class="error" id="subject-error">${error}</p>` : ''}
<div class="field">
<input id="subject" name="subject" value="${entered}" maxlength="255" required autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="subject-hint${error ? ' subject-error' : ''}"${error ? html` aria-invalid="true" autofocus` : ''}>
<button class="quiet">Sign in</button>
</div>
</form>`
}
