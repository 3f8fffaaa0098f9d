/**
 * For scripts: the actions of a person on the hosted page, and the faults that tests need; docs/testing.md lists them.
 * JSON in and out; a body of another media type is 415, because any website can send those.
 */
import { Router, type RouterContext } from '@koa/router'
import type { z } from 'zod'
import { readBody } from '../../read-body.ts'
import { pageUrl } from '../api/router.ts'
import type { Session } from '../session.ts'
import { decideSession, openSession, submitSession } from '../session-actions.ts'
import type { Simulator } from '../simulator.ts'
import type { Delivery } from '../webhook/delivery.ts'
import { decideInput, modesInput, planInput } from './inputs.ts'

export function createControlRouter(simulator: Simulator): Router {
  const router = new Router({ prefix: '/control' })
  router.use(requireJson)
  addSessionRoutes(router, simulator)
  router.get('/deliveries', ctx => {
    ctx.body = { deliveries: simulator.store.deliveries().map(presentDelivery) }
  })
  router.post('/deliveries/release', async ctx => {
    ctx.body = { deliveries: (await simulator.outbox.release()).map(presentDelivery) }
  })
  router.get('/mode', ctx => {
    ctx.body = simulator.modes
  })
  router.put('/mode', async ctx => {
    simulator.modes = parse(ctx, modesInput, await readJson(ctx))
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
  function addAction<Input>(
    name: string,
    schema: z.ZodType<Input>,
    act: (simulator: Simulator, session: Session, input: Input) => Promise<Delivery[]>,
  ): void {
    router.post(`/sessions/:id/${name}`, async ctx => {
      const input = parse(ctx, schema, await readJson(ctx))
      const session = findSession(ctx, simulator)
      respond(ctx, session, await act(simulator, session, input))
    })
  }
  router.get('/sessions', ctx => {
    ctx.body = { sessions: simulator.store.sessions().map(session => presentSession(simulator, session)) }
  })
  router.get('/sessions/:id', ctx => {
    ctx.body = { session: presentSession(simulator, findSession(ctx, simulator)) }
  })
  addAction('open', planInput, openSession)
  addAction('submit', planInput, submitSession)
  addAction('decide', decideInput, decideSession)
  router.post('/sessions/:id/deliver', async ctx => {
    const plan = parse(ctx, planInput, ctx.query)
    const webhook = { title: 'Given body', body: (await readBody(ctx)).toString('utf8') }
    const session = findSession(ctx, simulator)
    respond(ctx, session, await simulator.outbox.post(session, plan, webhook))
  })
}

function presentSession(simulator: Simulator, session: Session): Record<string, unknown> {
  const { token: _, ...rest } = session
  return { ...rest, url: pageUrl(simulator, session), deliveries: session.deliveries.map(presentDelivery) }
}

/** `accepted` is whether the service responded with 200; `status` is its last response. */
function presentDelivery({ body: _, ...rest }: Delivery): Record<string, unknown> {
  return { ...rest, accepted: rest.state === 'accepted' }
}

function findSession(ctx: RouterContext, { store }: Simulator): Session {
  const session = store.find(ctx.params.id ?? '')
  if (session === undefined) ctx.throw(404, 'There is no session with this id or vendorData.')
  return session
}

/** An empty body is an empty object. */
async function readJson(ctx: RouterContext): Promise<unknown> {
  const text = (await readBody(ctx)).toString('utf8')
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    ctx.throw(400, 'The body must be valid JSON.')
  }
}

function parse<Output>(ctx: RouterContext, schema: z.ZodType<Output>, value: unknown): Output {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  ctx.throw(400, parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
}
