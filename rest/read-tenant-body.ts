import type { Context } from 'koa'
import { assertStillAdmitted } from '#domain/api-key/assert-still-admitted.ts'
import { type ApiKeyActorScope, scopeAt } from '#domain/scope.ts'
import { whileIdle } from '#domain/while-idle.ts'
import type { BodyDeclaration, TenantEndpoint } from './endpoint.ts'
import { readJson } from './read-json.ts'

/** For so long an admission holds while the body arrives. */
const admissionMs = 1_000

/**
 * Reads the body of a request that was admitted by its headers. While it waits for the client, the request is no load of
 * the process. Throws `INVALID_REQUEST_BODY`; after a wait, also an `AdmissionError` if the API key has lost its access
 * meanwhile.
 */
export async function readTenantBody(
  ctx: Context,
  scope: ApiKeyActorScope,
  { body, access }: { body: BodyDeclaration; access: TenantEndpoint['access'] },
): Promise<unknown> {
  const begunAt = performance.now()
  const read = () => readJson(ctx, body)
  const value = await (ctx.req.complete ? read() : whileIdle(scope.log, read))
  if (performance.now() - begunAt > admissionMs) {
    await assertStillAdmitted(scopeAt(scope, scope.clock()), access.scope)
  }
  return value
}
