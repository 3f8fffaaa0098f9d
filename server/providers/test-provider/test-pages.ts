/**
 * The hosted page. Plain forms without scripts, so that a browser and curl see the same:
 *
 * GET  /:token          opens the session (the event `started`, once per attempt) and shows its current step
 * POST /:token/submit   no fields; the event `submitted`
 * POST /:token/decide   outcome: see session.ts, or provider-down; lostCallback: it is not reported
 * GET  /:token/leave    303 to the session's callback; changes nothing: the user cancels, or returns before the result
 * GET  /:token/status   the same page without opening the session
 *
 * A POST responds after its report: with 303 to the session's callback after a decision that a user comes back with, else to
 * the status page. One that the session's state does not allow changes nothing.
 */
import { Router, type RouterContext } from '@koa/router'
import type { Middleware } from 'koa'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { readBytes } from '#rest/read-body.ts'
import type { ConcurrencyLimit } from '../../http/concurrency-limit.ts'
import { toMiddleware } from '../../http/to-middleware.ts'
import { sendMessage, sendStyle } from '../../pages/html/simple-page.ts'
import type { ScopeFor } from '../../scope.ts'
import { isFinal, outcomes, type Session } from './session.ts'
import { type Action, decideSession, openSession, submitSession, takeDown } from './session-actions.ts'
import { createFrame, sendLeft, sendSession } from './session-page.ts'
import { changeSession, findSessionByToken, pagesPath, type Sessions } from './sessions.ts'
import { toResult } from './to-result.ts'

const bytesMax = 1024

export function createTestPages(
  sessions: Sessions,
  scopeFor: ScopeFor,
  placeOf: ConcurrencyLimit['placeOf'],
): Middleware {
  const router = new Router({ prefix: pagesPath })
  const frame = createFrame(pagesPath)

  router.get('/page.css', sendStyle)

  /** Adds a route of one session, whose page begins with `path`. */
  function addRoute(
    method: 'get' | 'post',
    route: string,
    handle: (ctx: RouterContext, session: Session, path: string) => Promise<void>,
  ): void {
    router[method](`/:token${route}`, async ctx => {
      const token = ctx.params.token ?? ''
      const found = await findSessionByToken(sessions, token)
      if (found) return await handle(ctx, found, `${pagesPath}/${token}`)
      ctx.status = 404
      sendMessage(ctx, frame, 'Not available', 'This link is unknown. It may be incomplete.')
    })
  }

  /** What can't be recorded now is found by polling, as a lost callback is. */
  async function act(id: string, action: Action): Promise<Session | undefined> {
    const { session, report } = (await changeSession(sessions, id, action)) ?? {}
    if (!session || !report) return session
    const scope = scopeFor({ kind: 'service' })
    await recordProviderResult(scope, toResult(session, report), { test: true }).catch(err =>
      scope.log.warn({ verificationId: session.verificationId, err }, 'A test result was not recorded'),
    )
    return session
  }

  addRoute('get', '', async (ctx, session, path) => {
    // The router handles HEAD with the GET route: a link checker must not open the session.
    const opened = ctx.method === 'GET' ? await act(session.id, openSession) : undefined
    sendSession(ctx, frame, path, opened ?? session)
  })

  addRoute('get', '/status', async (ctx, session, path) => sendSession(ctx, frame, path, session))

  addRoute('get', '/leave', async (ctx, session, path) => {
    if (session.callback !== null) seeOther(ctx, session.callback)
    else (isFinal(session) ? sendSession : sendLeft)(ctx, frame, path, session)
  })

  addRoute('post', '/submit', async (ctx, { id }, path) => {
    await act(id, submitSession)
    seeOther(ctx, `${path}/status`)
  })

  addRoute('post', '/decide', async (ctx, session, path) => {
    const body = await readBytes(ctx, placeOf(ctx), bytesMax)
    const fields = new URLSearchParams(body.toString())
    const chosen = fields.get('outcome')
    const action = readAction(chosen)
    if (action === undefined) {
      ctx.status = 400
      return sendSession(ctx, frame, path, session, 'Choose a result.')
    }
    const wasFinal = isFinal(session)
    if (!wasFinal && fields.has('lostCallback')) await changeSession(sessions, session.id, action)
    else if (!wasFinal) await act(session.id, action)
    const comesBack = !wasFinal && !staying.has(chosen)
    seeOther(ctx, (comesBack ? session.callback : null) ?? `${path}/status`)
  })
  return toMiddleware(router)
}

/** After these there is more to choose, or no user who would come back. */
const staying = new Set<string | null>(['review', 'provider-down', 'abandon', 'expire'])

function readAction(chosen: string | null): Action | undefined {
  if (chosen === 'provider-down') return takeDown
  const outcome = outcomes.find(name => name === chosen)
  return outcome && decideSession(outcome)
}

function seeOther(ctx: RouterContext, location: string): void {
  ctx.status = 303
  ctx.set('location', location)
}
