import { Router, type RouterContext } from '@koa/router'
import { canDelete, canSubmit, currentDecision, type Session } from '../session.ts'
import { createSession, deleteSession, submitSession } from '../session-actions.ts'
import type { Simulator } from '../simulator.ts'
import { presentDecision } from '../webhook/webhook-body.ts'
import { authenticate, checkSignature } from './authenticate.ts'
import { ProviderError } from './provider-error.ts'
import { parseVerification, readBytes, readSessionRequest } from './request-body.ts'
import { injectFailure, presentSession, signResponse } from './response.ts'

/** The part of the provider's API that an integration of the hosted page uses. */
export function createApiRouter(simulator: Simulator): Router {
  const router = new Router({ prefix: '/v1' })
  router.use(signResponse(simulator), authenticate(simulator))

  router.post('/sessions', injectFailure(simulator, 'createSession'), async ctx => {
    const bytes = await readBytes(ctx)
    if (ctx.get('x-hmac-signature') !== '') checkSignature(ctx, simulator, bytes, 1819)
    const request = readSessionRequest(parseVerification(bytes))
    ctx.status = 201
    ctx.body = presentSession(simulator, createSession(simulator, request))
  })

  router.patch('/sessions/:id', async ctx => {
    const bytes = await readBytes(ctx)
    checkSignature(ctx, simulator, bytes, 1819)
    const session = findSession(ctx, simulator)
    if (parseVerification(bytes).status !== 'submitted') throw new ProviderError(1303)
    if (!canSubmit(session)) throw new ProviderError(1304)
    await submitSession(simulator, session)
    ctx.body = presentSession(simulator, session)
  })

  router.get('/sessions/:id/decision', injectFailure(simulator, 'decision'), ctx => {
    checkSignature(ctx, simulator, ctx.params.id ?? '', 1818)
    const session = findSession(ctx, simulator)
    const decision = currentDecision(session)
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

  // The real provider has to enable it for an integration.
  router.delete('/sessions/:id', injectFailure(simulator, 'deleteSession'), async ctx => {
    checkSignature(ctx, simulator, ctx.params.id ?? '', 1818)
    if (simulator.modes.deleteSession === 'disabled') throw new ProviderError(1301)
    const session = findSession(ctx, simulator)
    if (!canDelete(session)) throw new ProviderError(1306)
    await deleteSession(simulator, session)
    ctx.body = { status: 'success', verification: { id: session.id } }
  })
  return router
}

const uuidVersion4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

function findSession(ctx: RouterContext, simulator: Simulator): Session {
  const id = ctx.params.id ?? ''
  if (id.length !== 36) throw new ProviderError(1001)
  if (!uuidVersion4.test(id)) throw new ProviderError(1002)
  const session = simulator.store.byId(id.toLowerCase())
  if (session === undefined) throw new ProviderError(404)
  return session
}
