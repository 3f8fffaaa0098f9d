import { Router, type RouterContext } from '@koa/router'
import { readBody } from '../../read-body.ts'
import type { Session } from '../session.ts'
import { createSession, deleteSession } from '../session-actions.ts'
import { areEqual, isSignedWith } from '../signature.ts'
import type { Simulator } from '../simulator.ts'
import { presentDecision } from '../webhook/webhook-body.ts'
import { ProviderError } from './provider-error.ts'
import { injectFailure, signResponse } from './response.ts'
import { readSessionRequest } from './session-request.ts'

/** The part of the provider's API that an integration of the hosted page uses. */
export function createApiRouter(simulator: Simulator): Router {
  const router = new Router({ prefix: '/v1' })
  router.use(signResponse(simulator), (ctx, next) => {
    checkApiKey(ctx, simulator)
    return next()
  })

  router.post('/sessions', injectFailure(simulator, 'createSession'), async ctx => {
    const bytes = await readBody(ctx)
    if (ctx.get('x-hmac-signature') !== '') checkSignature(ctx, simulator, bytes, 1819)
    const session = createSession(simulator, readSessionRequest(bytes))
    ctx.status = 201
    ctx.body = presentSession(simulator, session)
  })

  router.get('/sessions/:id/decision', injectFailure(simulator, 'decision'), ctx => {
    const session = findSession(ctx, simulator)
    const { decision, status } = session
    // There is none while another attempt is running.
    const verification = decision?.status === status ? presentDecision(session, decision) : null
    ctx.body = { status: 'success', verification }
  })

  // The real provider has to enable it for an integration.
  router.delete('/sessions/:id', injectFailure(simulator, 'deleteSession'), async ctx => {
    const session = findSession(ctx, simulator)
    if (simulator.modes.deleteSession === 'disabled') throw new ProviderError(1301)
    // While the provider examines it, a session cannot be deleted.
    if (session.status === 'submitted' || session.status === 'review') throw new ProviderError(1306)
    await deleteSession(simulator, session)
    ctx.body = { status: 'success', verification: { id: session.id } }
  })
  return router
}

/** The address of the hosted page. It contains the port that the simulator listens on now. */
export function pageUrl({ baseUrl }: Simulator, { token }: Session): string {
  return `${baseUrl}/v/${token}`
}

function presentSession(simulator: Simulator, session: Session): Record<string, unknown> {
  const { id, vendorData, status, token: sessionToken } = session
  const { baseUrl: host } = simulator
  const verification = { id, url: pageUrl(simulator, session), vendorData, host, status, sessionToken }
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
function findSession(ctx: RouterContext, simulator: Simulator): Session {
  const id = ctx.params.id ?? ''
  checkSignature(ctx, simulator, id, 1818)
  if (id.length !== 36) throw new ProviderError(1001)
  if (!uuidVersion4.test(id)) throw new ProviderError(1002)
  const session = simulator.store.byId(id.toLowerCase())
  if (session === undefined) throw new ProviderError(404)
  return session
}
