import { Router } from '@koa/router'
import type { Context } from 'koa'
import { errors, type Provider } from 'oidc-provider'
import { readBytes } from '#rest/read-body.ts'
import { type Html, html } from '#server/pages/html/html.ts'
import { type PageFrame, sendMessage, sendPage, sendStyle } from '#server/pages/html/simple-page.ts'
import { noPlace } from '../no-place.ts'
import type { SignInOptions, SignInUser } from './sign-in-options.ts'

/** Browsers apply `formAction` to the redirects after a form too, up to the dashboard. */
export const frame = (redirectUris: string[] = []): PageFrame => ({
  name: 'Age verification',
  badge: 'Development sign-in',
  note: 'This page replaces your identity provider, so that you can try the service on one machine.',
  formAction: ["'self'", ...new Set(redirectUris.map(uri => new URL(uri).origin))],
})

/** Adds the sign-in page, to which the provider redirects a browser without a session, and its form handler. */
export function addPages(provider: Provider, { users, redirectUris }: SignInOptions): void {
  const router = new Router()
  const show = (ctx: Context, entered: string, error?: string) =>
    sendPage(
      ctx,
      frame(redirectUris),
      error ? 'Error: Sign in' : 'Sign in',
      signInForms(users, entered, error),
    )

  router.get('/page.css', sendStyle)

  router.get('/sign-in/:uid', async ctx => {
    const { prompt, params } = await provider.interactionDetails(ctx.req, ctx.res)
    if (prompt.name === 'consent') return await complete(ctx, { consent: {} })
    show(ctx, String(params.login_hint ?? ''))
  })

  router.post('/sign-in/:uid', async ctx => {
    const entered =
      new URLSearchParams((await readBytes(ctx, noPlace, 16 * 1024)).toString()).get('subject') ?? ''
    const subject = entered.trim()
    const error = problemOf(subject)
    if (error === undefined) {
      await complete(ctx, { login: { accountId: subject } })
      return await clearOtherUser(provider, ctx, subject)
    }
    await provider.interactionDetails(ctx.req, ctx.res)
    show(ctx, entered, error)
    ctx.status = 400
  })

  async function complete(ctx: Context, result: Parameters<Provider['interactionResult']>[2]): Promise<void> {
    const next = await provider.interactionResult(ctx.req, ctx.res, result)
    ctx.status = 303
    ctx.redirect(next)
  }

  provider.use(handleExpiredInteraction)
  provider.use(router.routes())
}

/** Choose a user or enter any subject: each form posts `subject` to the page's URL. */
function signInForms(users: SignInUser[], entered: string, error: string | undefined): Html {
  const choices = users.map(
    ({ subject, name, hint, email }) => html`<li><button name="subject" value="${subject}">
<span>${name} <small class="hint">${email}</small></span> <span class="hint">${hint}</span>
</button></li>
`,
  )
  return html`<section class="card">
<h1>Sign in</h1>
<p class="lead">Choose a user. There are no passwords.</p>
<form method="post"><ul class="choices" aria-label="Users">${choices}</ul></form>
</section>
<section class="card">
<form method="post" novalidate>
<h2><label for="subject">Sign in as another user</label></h2>
<p class="hint" id="subject-hint">Any subject, such as a user ID or an email address. It becomes the token’s <code>sub</code> claim.</p>
${error ? html`<p class="error" id="subject-error">${error}</p>` : ''}
<div class="actions">
<input id="subject" name="subject" value="${entered}" maxlength="255" required autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="subject-hint${error ? ' subject-error' : ''}"${error ? html` aria-invalid="true" autofocus` : ''}>
<button>Sign in</button>
</div>
</form>
</section>`
}

/** At most 255 visible ASCII characters: what OpenID Connect allows in `sub`, without spaces. */
const subjectPattern = /^[\x21-\x7e]{1,255}$/

/** Why a subject is invalid, for people. */
function problemOf(subject: string): string | undefined {
  if (subject === '') return 'Enter a subject, or choose a user above.'
  if (subjectPattern.test(subject)) return undefined
  return 'Use at most 255 letters, digits and symbols, without spaces.'
}

/** If the browser's session belongs to another user, the provider would respond with a form and a script. */
async function clearOtherUser(provider: Provider, ctx: Context, subject: string): Promise<void> {
  const session = await provider.Session.get(ctx)
  if (session.accountId === undefined || session.accountId === subject) return
  session.accountId = undefined
  session.authorizations = {}
  await session.persist()
}

/** The page was open for too long, was reloaded after use, or was opened without its cookie. */
async function handleExpiredInteraction(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  try {
    await next()
  } catch (error) {
    if (!(error instanceof errors.SessionNotFound)) throw error
    const message =
      'It was already used, or was open for too long. Go back to the dashboard and sign in again.'
    sendMessage(ctx, frame(), 'This sign-in has expired', message)
    ctx.status = 400
  }
}
