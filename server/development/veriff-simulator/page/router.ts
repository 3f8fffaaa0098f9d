/**
 * The hosted page. Plain forms without scripts, so that a browser and curl see the same:
 *
 * GET  /v/:token          opens the session (event 7001, once per attempt) and shows the step it is at
 * POST /v/:token/submit   no fields; event 7002
 * POST /v/:token/decide   outcome = approve-adult | approve-minor | approve-unknown-age | decline | resubmission |
 *                         review | abandon | expire
 * GET  /v/:token/status   the same page without opening anything
 *
 * A POST answers when the webhook was tried once: 303 to the status page, which says what the service answered;
 * after a decision other than review 303 to the session's callback, where it has one. A POST that the session's
 * state does not allow changes nothing and answers the same 303 to the status page. 404: no such token.
 */
import { Router, type RouterContext } from '@koa/router'
import { koaBody } from 'koa-body'
import { decideSession } from '../session/decide-session.ts'
import { openSession } from '../session/open-session.ts'
import { type Outcome, outcomes } from '../session/outcome.ts'
import { isFinal, type Session } from '../session/session.ts'
import { submitSession } from '../session/submit-session.ts'
import type { Simulator } from '../simulator.ts'
import { guardPage } from './guard-page.ts'
import { sessionPage } from './session-page.ts'

export function createPageRouter(simulator: Simulator): Router {
  const router = new Router({ prefix: '/v' })
  const form = koaBody({ json: false, text: false, multipart: false, formLimit: '8kb' })
  router.use(guardPage)

  router.get('/:token', async ctx => {
    const session = findSession(ctx, simulator)
    // Routers answer HEAD with the GET route: a link checker must not open the session.
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
      showSession(ctx, simulator, session, 'Please choose one of the results.')
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
  if (session === undefined) ctx.throw(404, 'This link is not known. Perhaps a part of it got lost.')
  return session
}

function readOutcome(ctx: RouterContext): Outcome | undefined {
  const fields: unknown = ctx.request.body
  if (typeof fields !== 'object' || fields === null || !('outcome' in fields)) return undefined
  return outcomes.find(outcome => outcome === fields.outcome)
}

function showSession(ctx: RouterContext, simulator: Simulator, session: Session, problem?: string): void {
  ctx.type = 'html'
  ctx.body = sessionPage(session, simulator.store.deliveriesOf(session), problem)
}

const headerSafe = /^[\x21-\x7e]+$/

/** The callback goes out as the integrator gave it, with nothing appended; only what no header can carry is encoded. */
function seeOther(ctx: RouterContext, location: string): void {
  ctx.status = 303
  ctx.set('location', headerSafe.test(location) ? location : new URL(location).href)
}
