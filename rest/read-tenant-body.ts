import type { Context } from 'koa'
import { assertStillAdmitted } from '#domain/api-key/assert-still-admitted.ts'
import { type ApiKeyActorScope, scopeAt } from '#domain/scope.ts'
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
  declared: { body: BodyDeclaration; access: TenantEndpoint['access'] },
): Promise<unknown> {
  const begunAt = performance.now()
  const body = await readIdly(ctx, scope, declared.body)
  if (performance.now() - begunAt > admissionMs) {
    await assertStillAdmitted(scopeAt(scope, scope.clock()), declared.access.scope)
  }
  return body
}

async function readIdly(ctx: Context, { log }: ApiKeyActorScope, body: BodyDeclaration): Promise<unknown> {
  if (ctx.req.complete) return await readJson(ctx, body)
  log.setIdle?.(true)
  try {
    return await readJson(ctx, body)
  } finally {
    log.setIdle?.(false)
  }
}
