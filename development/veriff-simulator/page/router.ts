/**
 * The hosted page. Plain forms without scripts, so that a browser and curl see the same:
 *
 * GET  /v/:token          opens the session (event 7001, once per attempt) and shows its current step
 * POST /v/:token/submit   no fields; event 7002
 * POST /v/:token/decide   outcome = approve-adult | approve-minor | approve-unknown-age | decline | resubmission |
 *                         review | abandon | expire
 * GET  /v/:token/status   the same page without opening the session
 *
 * A POST responds after the first attempt of the webhook: with 303 to the status page, which shows the service's
 * response; after a decision other than review with 303 to the session's callback, if it has one. A POST that the
 * session's state does not allow changes nothing and responds with the same 303 to the status page. An unknown token
 * gets a 404.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Router, type RouterContext } from '@koa/router'
import type { Context, Next } from 'koa'
import { koaBody } from 'koa-body'
import { theme } from '#server/pages/html/theme.ts'
import { isFinal, type Outcome, outcomes, type Session } from '../session.ts'
import { decideSession, openSession, submitSession } from '../session-actions.ts'
import type { Simulator } from '../simulator.ts'
import { messagePage, sessionPage } from './session-page.ts'

export function createPageRouter(simulator: Simulator): Router {
  const router = new Router({ prefix: '/v' })
  const form = koaBody({ json: false, text: false, multipart: false, formLimit: '8kb' })
  router.use(setHeaders, handleErrors)

  router.get('/:token', async ctx => {
    const session = findSession(ctx, simulator)
    // The router handles HEAD with the GET route: a link checker must not open the session.
    if (ctx.method === 'GET') await openSession(simulator, session)
    showSession(ctx, simulator, session)
  })

  router.get('/:token/status', ctx => {
    showSession(ctx, simulator, findSession(ctx, simulator))
  })

  router.post('/:token/submit', form, async ctx => {
    const session = findSession(ctx, simulator)
    await submitSession(simulator, session)
    seeOther(ctx, `/v/${session.token}/status`)
  })

  router.post('/:token/decide', form, async ctx => {
    const session = findSession(ctx, simulator)
    const outcome = readOutcome(ctx)
    if (outcome === undefined) {
      showSession(ctx, simulator, session, 'Choose a result.')
      ctx.status = 400
      return
    }
    if (isFinal(session)) return seeOther(ctx, `/v/${session.token}/status`)
    await decideSession(simulator, session, { outcome })
    const callback = outcome === 'review' ? null : session.callback
    seeOther(ctx, callback ?? `/v/${session.token}/status`)
  })
  return router
}

function findSession(ctx: RouterContext, simulator: Simulator): Session {
  const session = simulator.store.byToken(ctx.params.token ?? '')
  if (session === undefined) ctx.throw(404, 'This link is unknown. It may be incomplete.')
  return session
}

function readOutcome(ctx: RouterContext): Outcome | undefined {
  const fields: unknown = ctx.request.body
  if (typeof fields !== 'object' || fields === null || !('outcome' in fields)) return undefined
  return outcomes.find(outcome => outcome === fields.outcome)
}

function showSession(ctx: RouterContext, simulator: Simulator, session: Session, error?: string): void {
  ctx.type = 'html'
  ctx.body = sessionPage(session, simulator.store.deliveriesOf(session), error)
}

const headerSafe = /^[\x21-\x7e]+$/

/** The integrator's callback is used unchanged; only characters that a header cannot contain are encoded. */
function seeOther(ctx: RouterContext, location: string): void {
  ctx.status = 303
  ctx.set('location', headerSafe.test(location) ? location : new URL(location).href)
}

async function setHeaders(ctx: Context, next: Next): Promise<void> {
  ctx.set({
    // Browsers apply form-action to the redirect after a form too, and the callback may be on any host.
    'content-security-policy':
      "default-src 'none'; style-src 'self'; img-src data:; form-action https: http:; base-uri 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    // The URL contains the token. With no-referrer, the page's own forms would be sent with `Origin: null`.
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  })
  await next()
}

async function handleErrors(ctx: Context, next: Next): Promise<void> {
  try {
    await next()
  } catch (error) {
    const { status, message } = publicError(error)
    if (status >= 500) ctx.app.emit('error', error, ctx)
    ctx.status = status
    ctx.type = 'html'
    ctx.body = messagePage('Not available', message)
  }
}

function publicError(error: unknown): { status: number; message: string } {
  if (error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500) {
    return { status: error.status, message: error.message }
  }
  return { status: 500, message: 'Something went wrong. Please try again.' }
}

const css = theme + readFileSync(join(import.meta.dirname, 'page.css'), 'utf8')

export function createAssetsRouter(): Router {
  const router = new Router({ prefix: '/assets' })
  router.get('/page.css', ctx => {
    ctx.type = 'css'
    ctx.body = css
  })
  return router
}
