/** The actions of a person on the hosted page, and the faults that tests need. JSON in and out. */
import { Router, type RouterContext } from '@koa/router'
import { readBytes } from '#rest/read-body.ts'
import type { Outcome } from '#server/providers/test-provider/session.ts'
import {
  type Action,
  decideSession,
  openSession,
  submitSession,
} from '#server/providers/test-provider/session-actions.ts'
import { noPlace } from '../no-place.ts'
import type { Delivery, DeliveryPlan } from './delivery.ts'
import { allWork, type Modes } from './inject-failure.ts'
import type { MemorySessions, VeriffSession } from './memory-sessions.ts'
import type { Outbox } from './outbox.ts'
import type { Credentials } from './signature.ts'
import { eventWebhook, toWebhook } from './webhook-body.ts'

/** The sessions, who may call the API and how it fails, and how webhooks travel. */
export interface Simulator extends Credentials {
  /** What the address of a hosted page would begin with. */
  pagesUrl: string
  sessions: MemorySessions
  outbox: Outbox
  modes: Modes
}

export function createControlRouter(simulator: Simulator): Router {
  const router = new Router({ prefix: '/control' })
  addSessionRoutes(router, simulator)
  router.post('/deliveries/release', async ctx => {
    ctx.body = { deliveries: await simulator.outbox.release() }
  })
  // What is not named works.
  router.put('/mode', async ctx => {
    simulator.modes = { ...allWork, ...(await readJson(ctx)) }
    ctx.body = simulator.modes
  })
  return router
}

/** What a script decides. */
type DecideInput = DeliveryPlan & { outcome: Outcome; reasonCode?: number | string }

function addSessionRoutes(router: Router, simulator: Simulator): void {
  const { sessions, outbox } = simulator
  const present = ({ tokenHash: _, ...session }: VeriffSession) => ({
    ...session,
    deliveries: outbox.deliveries().filter(({ sessionId }) => sessionId === session.id),
  })
  const respond = (ctx: RouterContext, session: VeriffSession, deliveries: Delivery[]) => {
    ctx.body = { session: present(session), deliveries }
  }
  function addAction(name: string, toAction: (input: DecideInput) => Action): void {
    router.post(`/sessions/:id/${name}`, async ctx => {
      const input = (await readJson(ctx)) as DecideInput
      const { session, report } = sessions.change(findSession(ctx, simulator), toAction(input))
      const earlier = eventsBefore(session)
      respond(ctx, session, report ? await outbox.post(toWebhook(session, report), input, earlier) : [])
    })
  }
  router.get('/sessions', ctx => {
    ctx.body = { sessions: sessions.all().map(present) }
  })
  router.get('/sessions/:id', ctx => {
    ctx.body = { session: present(findSession(ctx, simulator)) }
  })
  addAction('open', () => openSession)
  addAction('submit', () => submitSession)
  addAction('decide', ({ outcome, reasonCode }) => decideSession(outcome, reasonCode?.toString()))
  router.post('/sessions/:id/deliver', async ctx => {
    const body = (await readBytes(ctx, noPlace, bodyBytesMax)).toString('utf8')
    const session = findSession(ctx, simulator)
    respond(ctx, session, await outbox.post({ sessionId: session.id, title: 'Given body', body }, ctx.query))
  })
}

/** What `reordered` sends after a decision. */
function eventsBefore(session: VeriffSession) {
  if (session.attempts.length === 0 || session.decision === null) return []
  return [eventWebhook(session, 'submitted'), eventWebhook(session, 'started')]
}

function findSession(ctx: RouterContext, { sessions }: Simulator): VeriffSession {
  const session = sessions.find(ctx.params.id ?? '')
  if (session === undefined) ctx.throw(404, 'There is no session with this id or vendorData.')
  return session
}

const bodyBytesMax = 1024 * 1024

/** An empty body is an empty object. */
async function readJson(ctx: RouterContext): Promise<object> {
  const text = (await readBytes(ctx, noPlace, bodyBytesMax)).toString('utf8')
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    ctx.throw(400, 'The body must be valid JSON.')
  }
}
