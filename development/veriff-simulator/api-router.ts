import { Router, type RouterContext, type RouterMiddleware } from '@koa/router'
import { readBytes } from '#rest/read-body.ts'
import { endSession } from '#server/test-provider/session-actions.ts'
import type { Simulator } from './control-router.ts'
import type { VeriffSession } from './memory-sessions.ts'
import { ProviderError } from './provider-error.ts'
import { readSessionRequest, type SessionRequest } from './session-request.ts'
import { areEqual, isSignedWith, signedHeaders } from './signature.ts'
import { presentDecision, toWebhook } from './webhook-body.ts'

const bytesMax = 16 * 1024

export type ApiCall = 'createSession' | 'decision' | 'deleteSession'

/** The part of the provider's API that an integration of the hosted page uses. `intercept` makes a call fail. */
export function createApiRouter(
  simulator: Simulator,
  intercept: (call: ApiCall) => RouterMiddleware,
): Router {
  const router = new Router({ prefix: '/v1' })
  router.use(signResponse(simulator), (ctx, next) => {
    checkApiKey(ctx, simulator)
    return next()
  })

  router.post('/sessions', intercept('createSession'), async ctx => {
    const bytes = await readBytes(ctx, bytesMax)
    if (ctx.get('x-hmac-signature') !== '') checkSignature(ctx, simulator, bytes, 1819)
    ctx.body = createSession(simulator, readSessionRequest(bytes))
    ctx.status = 201
  })

  router.get('/sessions/:id/decision', intercept('decision'), async ctx => {
    const session = findOwnSession(ctx, simulator)
    const { decision, status } = session
    // There is none while another attempt is running.
    const verification = decision?.status === status ? presentDecision(session, decision) : null
    ctx.body = { status: 'success', verification }
  })

  // The real provider has to enable it for an integration.
  router.delete('/sessions/:id', intercept('deleteSession'), async ctx => {
    const session = findOwnSession(ctx, simulator)
    const { id, status } = session
    // While the provider examines it, a session cannot be deleted.
    if (status === 'submitted' || status === 'review') throw new ProviderError(1306)
    const ended = simulator.sessions.change(session, endSession)
    if (ended.report) await simulator.outbox.post(toWebhook(ended.session, ended.report))
    simulator.sessions.delete(id)
    ctx.body = { status: 'success', verification: { id } }
  })
  return router
}

/** Responds with JSON, signed over its exact bytes; errors too, unless the caller is not authenticated. */
function signResponse(simulator: Simulator): RouterMiddleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      ctx.status = error.status
      ctx.body = error.body
      if (error.status === 401) return
    }
    if (typeof ctx.body !== 'object' || ctx.body === null) return
    const bytes = Buffer.from(JSON.stringify(ctx.body))
    ctx.set(signedHeaders(simulator, bytes, ctx.state.signing ?? 'valid'))
    ctx.type = 'application/json'
    ctx.body = bytes
  }
}

function createSession({ pagesUrl, sessions }: Simulator, request: SessionRequest): Record<string, unknown> {
  const { id, token: sessionToken } = sessions.create(request)
  const { vendorData } = request
  const url = `${pagesUrl}/${sessionToken}`
  const verification = {
    id,
    url,
    vendorData,
    host: new URL(pagesUrl).origin,
    status: 'created',
    sessionToken,
  }
  return { status: 'success', verification }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const sha256 = /^[0-9a-f]{64}$/i

function checkApiKey(ctx: RouterContext, simulator: Simulator): void {
  const apiKey = ctx.get('x-auth-client')
  if (apiKey === '') throw new ProviderError(1801)
  if (!uuid.test(apiKey)) throw new ProviderError(1802)
  if (!areEqual(apiKey.toLowerCase(), simulator.apiKey.toLowerCase())) throw new ProviderError(1803)
}

/** Checks the signature: of the id in the path for reads (code 1818), of the body for writes (code 1819). */
function checkSignature(
  ctx: RouterContext,
  { sharedSecrets }: Simulator,
  content: string | Buffer,
  code: 1818 | 1819,
): void {
  const signature = ctx.get('x-hmac-signature')
  if (!sha256.test(signature)) throw new ProviderError(1812)
  if (!isSignedWith(signature, content, sharedSecrets)) throw new ProviderError(code)
}

const uuidVersion4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** The session in the path of a request that is signed over its id. */
function findOwnSession(ctx: RouterContext, simulator: Simulator): VeriffSession {
  const id = ctx.params.id ?? ''
  checkSignature(ctx, simulator, id, 1818)
  if (id.length !== 36) throw new ProviderError(1001)
  if (!uuidVersion4.test(id)) throw new ProviderError(1002)
  const session = simulator.sessions.find(id.toLowerCase())
  if (session === undefined) throw new ProviderError(404)
  return session
}
