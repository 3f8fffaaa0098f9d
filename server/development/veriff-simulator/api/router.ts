import { Router, type RouterContext } from '@koa/router'
import { createSession } from '../session/create-session.ts'
import { type Session, standingDecision } from '../session/session.ts'
import { canSubmit, submitSession } from '../session/submit-session.ts'
import type { Simulator } from '../simulator.ts'
import { presentDecision } from '../webhook/decision-webhook.ts'
import { answer } from './answer.ts'
import { ProviderApiError } from './api-error.ts'
import { authenticate, checkSignature } from './authenticate.ts'
import { misbehave } from './misbehave.ts'
import { presentSession } from './present-session.ts'
import { parseVerification, readBytes } from './read-json.ts'
import { readSessionRequest } from './session-request.ts'

/** The provider's API, as far as an integrator of the hosted page uses it. */
export function createApiRouter(simulator: Simulator): Router {
  const router = new Router({ prefix: '/v1' })
  router.use(answer(simulator), authenticate(simulator))

  router.post('/sessions', misbehave(simulator, 'createSession'), async ctx => {
    const bytes = await readBytes(ctx)
    if (ctx.get('x-hmac-signature') !== '') checkSignature(ctx, simulator, bytes, 1819)
    const request = readSessionRequest(parseVerification(bytes), simulator.allowHttpCallback)
    ctx.status = 201
    ctx.body = presentSession(simulator, await createSession(simulator, request))
  })

  router.patch('/sessions/:id', async ctx => {
    const bytes = await readBytes(ctx)
    checkSignature(ctx, simulator, bytes, 1819)
    const session = findSession(ctx, simulator)
    if (parseVerification(bytes).status !== 'submitted') throw new ProviderApiError(1303)
    if (!canSubmit(session)) throw new ProviderApiError(1304)
    await submitSession(simulator, session)
    ctx.body = presentSession(simulator, session)
  })

  router.get('/sessions/:id/decision', misbehave(simulator, 'decision'), ctx => {
    checkSignature(ctx, simulator, ctx.params.id ?? '', 1818)
    const session = findSession(ctx, simulator)
    const decision = standingDecision(session)
    ctx.body = { status: 'success', verification: decision && presentDecision(session, decision) }
  })

  router.get('/sessions/:id/attempts', ctx => {
    checkSignature(ctx, simulator, ctx.params.id ?? '', 1818)
    const { attempts } = findSession(ctx, simulator)
    ctx.body = {
      status: 'success',
      verifications: attempts.map(({ id, status, createdAt }) => ({ id, status, createdTime: createdAt })),
    }
  })

  // Off unless the provider enables it for an integration.
  router.delete('/sessions/:id', ctx => {
    checkSignature(ctx, simulator, ctx.params.id ?? '', 1818)
    ctx.status = 400
    ctx.body = { status: 400, code: '1301', message: 'Session deletion is not enabled for this integration.' }
  })
  return router
}

const uuidVersion4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

function findSession(ctx: RouterContext, simulator: Simulator): Session {
  const id = ctx.params.id ?? ''
  if (id.length !== 36) throw new ProviderApiError(1001)
  if (!uuidVersion4.test(id)) throw new ProviderApiError(1002)
  const session = simulator.store.sessions.get(id.toLowerCase())
  if (session === undefined) throw new ProviderApiError(404)
  return session
}
