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
import { readBytes } from '#rest/read-body.ts'
import { sendMessage, sendStyle } from '../pages/html/simple-page.ts'
import { isFinal, outcomes, type Report, type Session } from './session.ts'
import {
  type Action,
  decideSession,
  endIfOld,
  hashToken,
  openSession,
  submitSession,
  takeDown,
} from './session-actions.ts'
import { createFrame, sendLeft, sendSession } from './session-page.ts'
import { changeSession, type Sessions } from './sessions.ts'

const bytesMax = 1024

/** Tells the service what has happened to a session. Whether that works changes nothing: a decision can be polled. */
export type ReportSession = (session: Session, report: Report) => Promise<unknown>

/** `prefix`: the path of the pages; a proxy in front can have a longer one. */
export function createPageRouter(sessions: Sessions, prefix: string, tell: ReportSession): Router {
  const router = new Router({ prefix })
  const { pathname } = new URL(sessions.pagesUrl)
  const frame = createFrame(pathname)

  router.get('/page.css', sendStyle)

  /** Adds a route of one session, whose page begins with `path`. */
  function addRoute(
    method: 'get' | 'post',
    route: string,
    handle: (ctx: RouterContext, session: Session, path: string) => Promise<void>,
  ): void {
    router[method](`/:token${route}`, async ctx => {
      const token = ctx.params.token ?? ''
      const found = await findByToken(sessions, token)
      if (found) return await handle(ctx, found, `${pathname}/${token}`)
      ctx.status = 404
      sendMessage(ctx, frame, 'Not available', 'This link is unknown. It may be incomplete.')
    })
  }

  async function act(id: string, action: Action): Promise<Session | undefined> {
    const changed = await changeSession(sessions, id, action)
    if (changed?.report) await tell(changed.session, changed.report)
    return changed?.session
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
    const fields = new URLSearchParams((await readBytes(ctx, bytesMax)).toString())
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
  return router
}

/** After these there is more to choose, or no user who would come back. */
const staying = new Set<string | null>(['review', 'provider-down', 'abandon', 'expire'])

function readAction(chosen: string | null): Action | undefined {
  if (chosen === 'provider-down') return takeDown
  const outcome = outcomes.find(name => name === chosen)
  return outcome && decideSession(outcome)
}

async function findByToken({ store, now }: Sessions, token: string): Promise<Session | undefined> {
  if (!/^[\w-]{43}$/.test(token)) return undefined
  const found = await store.byTokenHash(hashToken(token))
  return found && endIfOld(found, now())
}

const headerSafe = /^[\x21-\x7e]+$/

/** The integrator's callback is used unchanged; only characters that a header cannot contain are encoded. */
function seeOther(ctx: RouterContext, location: string): void {
  ctx.status = 303
  ctx.set('location', headerSafe.test(location) ? location : new URL(location).href)
}
