import { Router, type RouterContext } from '@koa/router'
import { createSession } from '../session/create-session.ts'
import { type Session, standingDecision } from '../session/session.ts'
import { canSubmit, submitSession } from '../session/submit-session.ts'
import type { StandIn } from '../stand-in.ts'
import { presentDecision } from '../webhook/decision-webhook.ts'
import { answer } from './answer.ts'
import { authenticate, checkSignature } from './authenticate.ts'
import { misbehave } from './misbehave.ts'
import { presentSession } from './present-session.ts'
import { parseVerification, readBytes } from './read-json.ts'
import { ProviderRefusal } from './refusal.ts'
import { readSessionRequest } from './session-request.ts'

/** The provider's API, as far as an integrator of the hosted page uses it. */
export function createApiRouter(standIn: StandIn): Router {
  const router = new Router({ prefix: '/v1' })
  router.use(answer(standIn), authenticate(standIn))

  router.post('/sessions', misbehave(standIn, 'createSession'), async ctx => {
    const bytes = await readBytes(ctx)
    if (ctx.get('x-hmac-signature') !== '') checkSignature(ctx, standIn, bytes, 1819)
    const request = readSessionRequest(parseVerification(bytes), standIn.allowHttpCallback)
    ctx.status = 201
    ctx.body = presentSession(standIn, await createSession(standIn, request))
  })

  router.patch('/sessions/:id', async ctx => {
    const bytes = await readBytes(ctx)
    checkSignature(ctx, standIn, bytes, 1819)
    const session = findSession(ctx, standIn)
    if (parseVerification(bytes).status !== 'submitted') throw new ProviderRefusal(1303)
    if (!canSubmit(session)) throw new ProviderRefusal(1304)
    await submitSession(standIn, session)
    ctx.body = presentSession(standIn, session)
  })

  router.get('/sessions/:id/decision', misbehave(standIn, 'decision'), ctx => {
    checkSignature(ctx, standIn, ctx.params.id ?? '', 1818)
    const session = findSession(ctx, standIn)
    const decision = standingDecision(session)
    ctx.body = { status: 'success', verification: decision && presentDecision(session, decision) }
  })

  router.get('/sessions/:id/attempts', ctx => {
    checkSignature(ctx, standIn, ctx.params.id ?? '', 1818)
    const { attempts } = findSession(ctx, standIn)
    ctx.body = {
      status: 'success',
      verifications: attempts.map(({ id, status, createdAt }) => ({ id, status, createdTime: createdAt })),
    }
  })

  // Off unless the provider enables it for an integration.
  router.delete('/sessions/:id', ctx => {
    checkSignature(ctx, standIn, ctx.params.id ?? '', 1818)
    ctx.status = 400
    ctx.body = { status: 400, code: '1301', message: 'Session deletion is not enabled for this integration.' }
  })
  return router
}

const uuidVersion4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

function findSession(ctx: RouterContext, standIn: StandIn): Session {
  const id = ctx.params.id ?? ''
  if (id.length !== 36) throw new ProviderRefusal(1001)
  if (!uuidVersion4.test(id)) throw new ProviderRefusal(1002)
  const session = standIn.store.sessions.get(id.toLowerCase())
  if (session === undefined) throw new ProviderRefusal(404)
  return session
}
