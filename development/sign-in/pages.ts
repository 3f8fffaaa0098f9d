import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Router } from '@koa/router'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import { errors, type Provider } from 'oidc-provider'
import { theme } from '#server/pages/html/theme.ts'
import { sendPage, showMessage, signInPage } from './page-markup.ts'
import type { SignInOptions } from './sign-in-options.ts'

const style = theme + readFileSync(join(import.meta.dirname, 'sign-in.css'), 'utf8')

/** Adds the sign-in page, to which the provider redirects a browser without a session, and its form handler. */
export function addPages(provider: Provider, { users, redirectUris }: SignInOptions): void {
  const router = new Router()
  // Browsers apply form-action to the redirects after the POST too, up to the dashboard.
  const formTargets = [...new Set(redirectUris.map(uri => new URL(uri).origin))]

  router.get('/sign-in.css', ctx => {
    ctx.type = 'css'
    ctx.body = style
  })

  router.get('/sign-in/:uid', async ctx => {
    const { prompt, params } = await provider.interactionDetails(ctx.req, ctx.res)
    if (prompt.name === 'consent') return await complete(ctx, { consent: {} })
    sendPage(ctx, signInPage({ users, entered: String(params.login_hint ?? '') }), formTargets)
  })

  router.post('/sign-in/:uid', koaBody({ formLimit: '16kb', json: false, text: false }), async ctx => {
    const form = (ctx.request as { body?: Record<string, unknown> }).body ?? {}
    const { subject, error } = readSubject(form.subject)
    if (subject !== undefined) {
      await complete(ctx, { login: { accountId: subject } })
      return await clearOtherUser(provider, ctx, subject)
    }
    await provider.interactionDetails(ctx.req, ctx.res)
    ctx.status = 400
    sendPage(ctx, signInPage({ users, entered: String(form.subject ?? ''), error }), formTargets)
  })

  async function complete(ctx: Context, result: Parameters<Provider['interactionResult']>[2]): Promise<void> {
    const next = await provider.interactionResult(ctx.req, ctx.res, result)
    ctx.status = 303
    ctx.redirect(next)
  }

  provider.use(handleExpiredInteraction)
  provider.use(router.routes())
}

/** At most 255 visible ASCII characters: what OpenID Connect allows in `sub`, without spaces. */
const subjectPattern = /^[\x21-\x7e]{1,255}$/

type SubjectResult = { subject: string; error?: never } | { subject?: never; error: string }

/** The chosen or entered subject, or the validation error. */
function readSubject(value: unknown): SubjectResult {
  const subject = typeof value === 'string' ? value.trim() : ''
  if (subject === '') return { error: 'Enter a subject, or choose a user above.' }
  if (!subjectPattern.test(subject)) {
    return { error: 'Use at most 255 letters, digits and symbols, without spaces.' }
  }
  return { subject }
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
    ctx.status = 400
    showMessage(ctx, {
      title: 'This sign-in has expired',
      message: 'It was already used, or was open for too long. Go back to the dashboard and sign in again.',
    })
  }
}
