/**
 * For scripts: what a person does on the hosted page, and what only a test wants. JSON in and out. `:id` is the
 * provider's session id or the integrator's vendorData. Every answer comes after the first try of the webhooks
 * that are due, and says what the service answered to each.
 *
 * GET  /control/sessions, /control/sessions/:id
 * POST /control/sessions/:id/open, /submit    {delivery?, delayMs?}
 * POST /control/sessions/:id/decide           {outcome, …} see inputs.ts
 * POST /control/sessions/:id/deliver          any body: sent as it is; ?delivery=…&delayMs=…
 * POST /control/deliveries/release            tries everything now that is held, late or waiting
 * GET  /control/deliveries
 * GET, PUT /control/mode                      {createSession?, decision?} see ../api/modes.ts
 */
import { Router, type RouterContext } from '@koa/router'
import { koaBody } from 'koa-body'
import type { z } from 'zod'
import { readBytes } from '../api/read-json.ts'
import { decideSession } from '../session/decide-session.ts'
import { openSession } from '../session/open-session.ts'
import type { Session } from '../session/session.ts'
import { submitSession } from '../session/submit-session.ts'
import type { Simulator } from '../simulator.ts'
import type { Delivery } from '../webhook/delivery.ts'
import { planDeliveries } from '../webhook/delivery-plan.ts'
import { decideInput, modesInput, stepInput } from './inputs.ts'
import { planOf } from './plan-of.ts'
import { presentDelivery, presentSession } from './present.ts'

const json = koaBody({ urlencoded: false, text: false, multipart: false })

export function createControlRouter(simulator: Simulator): Router {
  const router = new Router({ prefix: '/control' })
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

function addSessionRoutes(router: Router, simulator: Simulator): void {
  const answer = (ctx: RouterContext, session: Session, deliveries: Delivery[]) => {
    ctx.body = { session: presentSession(simulator, session), deliveries: deliveries.map(presentDelivery) }
  }
  router.get('/sessions', ctx => {
    const sessions = [...simulator.store.sessions.values()]
    ctx.body = { sessions: sessions.map(session => presentSession(simulator, session)) }
  })
  router.get('/sessions/:id', ctx => {
    ctx.body = { session: presentSession(simulator, findSession(ctx, simulator)) }
  })
  router.post('/sessions/:id/open', json, async ctx => {
    const session = findSession(ctx, simulator)
    const plan = planOf(parse(ctx, stepInput, ctx.request.body ?? {}))
    answer(ctx, session, await openSession(simulator, session, plan))
  })
  router.post('/sessions/:id/submit', json, async ctx => {
    const session = findSession(ctx, simulator)
    const plan = planOf(parse(ctx, stepInput, ctx.request.body ?? {}))
    answer(ctx, session, await submitSession(simulator, session, plan))
  })
  router.post('/sessions/:id/decide', json, async ctx => {
    const session = findSession(ctx, simulator)
    const input = parse(ctx, decideInput, ctx.request.body)
    answer(ctx, session, await decideSession(simulator, session, { ...input, delivery: planOf(input) }))
  })
  router.post('/sessions/:id/deliver', async ctx => {
    const session = findSession(ctx, simulator)
    const plan = planOf(parse(ctx, stepInput, ctx.query))
    const webhook = { title: 'Given body', body: (await readBytes(ctx)).toString('utf8') }
    answer(ctx, session, await simulator.outbox.post(session, planDeliveries(plan, webhook)))
  })
}

function addDeliveryRoutes(router: Router, { store, outbox }: Simulator): void {
  router.get('/deliveries', ctx => {
    ctx.body = { deliveries: [...store.deliveries.values()].map(presentDelivery) }
  })
  router.post('/deliveries/release', async ctx => {
    ctx.body = { deliveries: (await outbox.release()).map(presentDelivery) }
  })
}

function findSession(ctx: RouterContext, simulator: Simulator): Session {
  const session = simulator.store.find(ctx.params.id ?? '')
  if (session === undefined) ctx.throw(404, 'no session with this id or vendorData')
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
