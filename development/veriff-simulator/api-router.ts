import { Router, type RouterContext, type RouterMiddleware } from '@koa/router'
import { readBytes } from '#rest/read-body.ts'
import { endSession } from '#server/providers/test-provider/session-actions.ts'
import { signature as sign } from '#server/providers/veriff/signature.ts'
import { noPlace } from '../no-place.ts'
import type { Simulator } from './control-router.ts'
import type { ApiCall } from './inject-failure.ts'
import type { VeriffSession } from './memory-sessions.ts'
import { ProviderError } from './provider-error.ts'
import { signedHeaders } from './signature.ts'
import { presentDecision, toWebhook } from './webhook-body.ts'

const bytesMax = 16 * 1024
const dayMs = 24 * 60 * 60 * 1000
const deletionsPerDay = 10

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
    const bytes = await readBytes(ctx, noPlace, bytesMax)
    checkSignature(ctx, simulator, bytes, '1819')
    ctx.body = createSession(simulator, JSON.parse(bytes.toString()))
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
  const deletedAt: number[] = []
  router.delete('/sessions/:id', intercept('deleteSession'), async ctx => {
    const session = findOwnSession(ctx, simulator)
    const { id, status } = session
    const nowMs = Date.now()
    if (deletedAt.filter(at => at > nowMs - dayMs).length >= deletionsPerDay) {
      ctx.set('Retry-After', '3600')
      throw new ProviderError(429, '429', 'Ten sessions were deleted within 24 hours.')
    }
    // While the provider examines it, a session cannot be deleted.
    if (status === 'submitted' || status === 'review')
      throw new ProviderError(400, '1306', 'The session is in progress.')
    const ended = simulator.sessions.change(session, endSession)
    if (ended.report) await simulator.outbox.post(toWebhook(ended.session, ended.report))
    simulator.sessions.delete(id)
    deletedAt.push(nowMs)
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

/** Other fields, such as data about the person, are ignored. */
interface SessionRequest {
  verification: { vendorData?: string | null; callback?: string | null }
}

function createSession({ pagesUrl, sessions }: Simulator, { verification }: SessionRequest) {
  const { vendorData = null, callback = null } = verification
  if (callback !== null && !callback.startsWith('https:')) {
    throw new ProviderError(400, '1302', 'Only HTTPS return URLs are allowed.')
  }
  const { id, token: sessionToken } = sessions.create({ vendorData, callback })
  const { origin: host } = new URL(pagesUrl)
  const url = `${pagesUrl}/${sessionToken}`
  return { status: 'success', verification: { id, url, vendorData, host, status: 'created', sessionToken } }
}

function checkApiKey(ctx: RouterContext, { apiKey }: Simulator): void {
  if (ctx.get('x-auth-client').toLowerCase() === apiKey.toLowerCase()) return
  throw new ProviderError(401, '1803', 'No integration with this API key was found.')
}

/** Checks the signature: of the id in the path for reads (code 1818), of the body for writes (code 1819). */
function checkSignature(
  ctx: RouterContext,
  { sharedSecrets }: Simulator,
  content: string | Buffer,
  code: '1818' | '1819',
): void {
  // Upper-case hex is accepted, as by the provider.
  const signature = ctx.get('x-hmac-signature').toLowerCase()
  if (sharedSecrets.some(secret => signature === sign(content, secret))) return
  throw new ProviderError(401, code, 'X-HMAC-SIGNATURE does not match.')
}

/** The session in the path of a request that is signed over its id. */
function findOwnSession(ctx: RouterContext, simulator: Simulator): VeriffSession {
  const id = ctx.params.id ?? ''
  checkSignature(ctx, simulator, id, '1818')
  const session = simulator.sessions.find(id.toLowerCase())
  if (session === undefined) throw new ProviderError(404, '404', 'Session not found.')
  return session
}
