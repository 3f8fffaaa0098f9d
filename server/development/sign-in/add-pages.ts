import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Router } from '@koa/router'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import { errors, type Provider } from 'oidc-provider'
import { theme } from '../../html/theme.ts'
import type { SignInOptions } from './options.ts'
import { sendPage } from './page/send-page.ts'
import { showMessage } from './page/show-message.ts'
import { signInPage } from './page/sign-in-page.ts'
import { readSubject } from './read-subject.ts'

const style = theme + readFileSync(join(import.meta.dirname, 'page', 'sign-in.css'), 'utf8')

/** The sign-in page, where the provider sends a browser that has no session, and what it posts to. */
export function addPages(provider: Provider, { users, redirectUris }: SignInOptions): void {
  const router = new Router()
  // A browser applies form-action to the redirects after the post too, up to the dashboard.
  const targets = [...new Set(redirectUris.map(address => new URL(address).origin))]

  router.get('/sign-in.css', ctx => {
    ctx.type = 'css'
    ctx.body = style
  })

  router.get('/sign-in/:uid', async ctx => {
    const { prompt, params } = await provider.interactionDetails(ctx.req, ctx.res)
    if (prompt.name === 'consent') return await answer(ctx, { consent: {} })
    sendPage(ctx, signInPage({ users, typed: String(params.login_hint ?? '') }), targets)
  })

  router.post('/sign-in/:uid', koaBody({ formLimit: '16kb', json: false, text: false }), async ctx => {
    const form = (ctx.request as { body?: Record<string, unknown> }).body ?? {}
    const { subject, fault } = readSubject(form.subject)
    if (subject !== undefined) {
      await answer(ctx, { login: { accountId: subject } })
      return await leaveOtherUser(provider, ctx, subject)
    }
    await provider.interactionDetails(ctx.req, ctx.res)
    ctx.status = 400
    sendPage(ctx, signInPage({ users, typed: String(form.subject ?? ''), fault }), targets)
  })

  async function answer(ctx: Context, result: Parameters<Provider['interactionResult']>[2]): Promise<void> {
    const next = await provider.interactionResult(ctx.req, ctx.res, result)
    ctx.status = 303
    ctx.redirect(next)
  }

  provider.use(explainLostSignIn)
  provider.use(router.routes())
}

/** The provider itself would go on with a form and a script where the browser's session is another user's. */
async function leaveOtherUser(provider: Provider, ctx: Context, subject: string): Promise<void> {
  const session = await provider.Session.get(ctx)
  if (session.accountId === undefined || session.accountId === subject) return
  session.accountId = undefined
  session.authorizations = {}
  await session.persist()
}

/** The page was left open for too long, reloaded after it was used, or opened without its cookie. */
async function explainLostSignIn(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  try {
    await next()
  } catch (error) {
    if (!(error instanceof errors.SessionNotFound)) throw error
    ctx.status = 400
    const message = 'This sign-in was used or has expired. Go back to the dashboard and sign in again.'
    showMessage(ctx, { title: 'This sign-in is over', message })
  }
}
