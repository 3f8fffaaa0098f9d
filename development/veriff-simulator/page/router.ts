/**
 * The hosted page. Plain forms without scripts, so that a browser and curl see the same:
 *
 * GET  /v/:token          opens the session (event 7001, once per attempt) and shows its current step
 * POST /v/:token/submit   no fields; event 7002
 * POST /v/:token/decide   outcome: see ../session.ts
 * GET  /v/:token/status   the same page without opening the session
 *
 * A POST responds after the first attempt of the webhook: with 303 to the session's callback after a decision other than
 * review, else to the status page. One that the session's state does not allow changes nothing.
 */
import { Router, type RouterContext } from '@koa/router'
import { readBody } from '../../read-body.ts'
import { isFinal, outcomes, type Session } from '../session.ts'
import { decideSession, openSession, submitSession } from '../session-actions.ts'
import type { Simulator } from '../simulator.ts'
import { sendSession } from './session-page.ts'

export function createPageRouter(simulator: Simulator): Router {
  const router = new Router({ prefix: '/v' })

  router.get('/:token', async ctx => {
    const session = findSession(ctx, simulator)
    // The router handles HEAD with the GET route: a link checker must not open the session.
    if (ctx.method === 'GET') await openSession(simulator, session)
    sendSession(ctx, session)
  })

  router.get('/:token/status', ctx => sendSession(ctx, findSession(ctx, simulator)))

  router.post('/:token/submit', async ctx => {
    const session = findSession(ctx, simulator)
    await submitSession(simulator, session)
    seeOther(ctx, `/v/${session.token}/status`)
  })

  router.post('/:token/decide', async ctx => {
    const chosen = new URLSearchParams((await readBody(ctx)).toString()).get('outcome')
    const session = findSession(ctx, simulator)
    const outcome = outcomes.find(name => name === chosen)
    if (outcome === undefined) {
      sendSession(ctx, session, 'Choose a result.')
      ctx.status = 400
      return
    }
    const wasFinal = isFinal(session)
    if (!wasFinal) await decideSession(simulator, session, { outcome })
    const callback = wasFinal || outcome === 'review' ? null : session.callback
    seeOther(ctx, callback ?? `/v/${session.token}/status`)
  })
  return router
}

function findSession(ctx: RouterContext, { store }: Simulator): Session {
  const session = store.byToken(ctx.params.token ?? '')
  if (session === undefined) ctx.throw(404, 'This link is unknown. It may be incomplete.')
  return session
}

const headerSafe = /^[\x21-\x7e]+$/

/** The integrator's callback is used unchanged; only characters that a header cannot contain are encoded. */
function seeOther(ctx: RouterContext, location: string): void {
  ctx.status = 303
  ctx.set('location', headerSafe.test(location) ? location : new URL(location).href)
}
