/**
 * For scripts: the actions of a person on the hosted page, and the faults that tests need. JSON in and out; a body of
 * another media type is 415, because any website can send those.
 * `:id` is the provider's session id or the integrator's vendorData. A response is sent after the first attempt of each
 * webhook that is due, and contains the service's response to it.
 *
 * GET  /control/sessions, /control/sessions/:id
 * POST /control/sessions/:id/open, /submit    {delivery?, delayMs?}
 * POST /control/sessions/:id/decide           {outcome, …}: see inputs.ts
 * POST /control/sessions/:id/deliver          any body, declared as JSON: sent unchanged; ?delivery=…&delayMs=…
 * POST /control/deliveries/release            attempts everything that is held, late or waiting now
 * GET  /control/deliveries
 * GET, PUT /control/mode                      {createSession?, decision?, deleteSession?}: see ../simulator.ts
 */
import { Router, type RouterContext } from '@koa/router'
import { koaBody } from 'koa-body'
import type { z } from 'zod'
import { readBytes } from '../api/request-body.ts'
import { pageUrl } from '../api/response.ts'
import type { Session } from '../session.ts'
import { decideSession, openSession, submitSession } from '../session-actions.ts'
import type { Simulator } from '../simulator.ts'
import { type Delivery, planDeliveries } from '../webhook/delivery.ts'
import { decideInput, modesInput, planInput } from './inputs.ts'

const json = koaBody({ urlencoded: false, text: false, multipart: false })

export function createControlRouter(simulator: Simulator): Router {
  const router = new Router({ prefix: '/control' })
  router.use(requireJson)
  addSessionRoutes(router, simulator)
  addDeliveryRoutes(router, simulator)
  router.get('/mode', ctx => {
    ctx.body = simulator.modes
  })
  router.put('/mode', json, ctx => {
    simulator.modes = parse(ctx, modesInput, ctx.request.body)
    ctx.body = simulator.modes
  })
  return router
}

async function requireJson(ctx: RouterContext, next: () => Promise<unknown>): Promise<void> {
  const hasBody = ctx.get('transfer-encoding') !== '' || Number(ctx.get('content-length')) > 0
  if (hasBody && !ctx.is('application/json')) ctx.throw(415, 'The Content-Type must be application/json.')
  await next()
}

function addSessionRoutes(router: Router, simulator: Simulator): void {
  const respond = (ctx: RouterContext, session: Session, deliveries: Delivery[]) => {
    ctx.body = { session: presentSession(simulator, session), deliveries: deliveries.map(presentDelivery) }
  }
  router.get('/sessions', ctx => {
    const sessions = simulator.store.sessions()
    ctx.body = { sessions: sessions.map(session => presentSession(simulator, session)) }
  })
  router.get('/sessions/:id', ctx => {
    ctx.body = { session: presentSession(simulator, findSession(ctx, simulator)) }
  })
  router.post('/sessions/:id/open', json, async ctx => {
    const session = findSession(ctx, simulator)
    const plan = parse(ctx, planInput, ctx.request.body ?? {})
    respond(ctx, session, await openSession(simulator, session, plan))
  })
  router.post('/sessions/:id/submit', json, async ctx => {
    const session = findSession(ctx, simulator)
    const plan = parse(ctx, planInput, ctx.request.body ?? {})
    respond(ctx, session, await submitSession(simulator, session, plan))
  })
  router.post('/sessions/:id/decide', json, async ctx => {
    const session = findSession(ctx, simulator)
    const { delivery, delayMs, ...request } = parse(ctx, decideInput, ctx.request.body)
    respond(ctx, session, await decideSession(simulator, session, request, { delivery, delayMs }))
  })
  router.post('/sessions/:id/deliver', async ctx => {
    const plan = parse(ctx, planInput, ctx.query)
    const webhook = { title: 'Given body', body: (await readBytes(ctx)).toString('utf8') }
    const session = findSession(ctx, simulator)
    respond(ctx, session, await simulator.outbox.post(session, planDeliveries(plan, webhook)))
  })
}

function addDeliveryRoutes(router: Router, { store, outbox }: Simulator): void {
  router.get('/deliveries', ctx => {
    ctx.body = { deliveries: store.deliveries().map(presentDelivery) }
  })
  router.post('/deliveries/release', async ctx => {
    ctx.body = { deliveries: (await outbox.release()).map(presentDelivery) }
  })
}

function presentSession(simulator: Simulator, session: Session): Record<string, unknown> {
  const { token: _, ...rest } = session
  return {
    ...rest,
    url: pageUrl(simulator, session),
    deliveries: simulator.store.deliveriesOf(session).map(presentDelivery),
  }
}

/** `accepted` is whether the service responded with 200; `status` is its last response. */
function presentDelivery(delivery: Delivery): Record<string, unknown> {
  const { body: _, ...rest } = delivery
  return { ...rest, accepted: delivery.state === 'accepted' }
}

function findSession(ctx: RouterContext, simulator: Simulator): Session {
  const session = simulator.store.find(ctx.params.id ?? '')
  if (session === undefined) ctx.throw(404, 'There is no session with this id or vendorData.')
  return session
}

function parse<Schema extends z.ZodType>(
  ctx: RouterContext,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    const issues = parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`)
    ctx.throw(400, issues.join('; '))
  }
  return parsed.data
}
