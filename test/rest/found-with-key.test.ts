import { expect } from 'chai'
import { request } from 'undici'
import { hashKeyValue } from '#domain/api-key/key-value.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { forTenant } from '#domain/scope.ts'
import { expectError } from '../harness/expect-error.ts'
import { statementsDuring } from '../harness/statements-during.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useService } from '../harness/use-service.ts'

describe('The verification that a request names', () => {
  const service = useService()

  /** A tenant whose key the process knows, with an approved verification. */
  async function approved() {
    const tenant = await createTestTenant(service)
    const client = tenantClient(service, tenant)
    const id = await client.decided('approve-adult')
    return { ...tenant, client, id, token: (await client.status(id)).body.token as string }
  }

  /** As most clients send it: with its headers. `fetch` sends a body after them. */
  async function validateAtOnce(apiKey: string, token: unknown) {
    const headers = { 'x-tenant-api-key': apiKey, 'content-type': 'application/json' }
    const body = JSON.stringify({ token })
    const response = await request(`${service.baseUrl}/tokens/validate`, { method: 'POST', headers, body })
    return (await response.body.json()) as { error?: string; reason?: string }
  }

  it('is looked up with the key, and alone for a large body and a key that is new to the process', async () => {
    const { client, id, token, apiKey } = await approved()
    const looks = async (work: () => Promise<unknown>) =>
      (await statementsDuring(work)).filter(name => name.startsWith('find-'))
    expect(await looks(() => client.status(id))).to.deep.equal(['find-key-access-with-verification'])
    expect(await looks(() => validateAtOnce(apiKey, token))).to.deep.equal([
      'find-key-access-with-verification',
    ])
    const alone = ['find-key-access', 'find-verification']
    expect(await looks(() => validateAtOnce(apiKey, token + 'A'.repeat(5_000)))).to.deep.equal(alone)
    service.services.knownKeys.remove(hashKeyValue(apiKey))
    expect(await looks(() => client.status(id))).to.deep.equal(alone)
  })

  it('is found for its own tenant only, with the key or alone, whoever asks in the same turn', async () => {
    const [mine, other] = [await approved(), await approved()]
    const ask = async ({ client, apiKey }: typeof mine, { id, token }: typeof mine) => {
      const statuses = [client.status(id), client.awaitChange(id.toUpperCase(), 0)]
      const [first, second] = await Promise.all(statuses)
      return [
        first?.body.verificationId,
        second?.body.verificationId,
        (await validateAtOnce(apiKey, token)).reason,
      ]
    }
    const asked = [ask(mine, mine), ask(mine, other), ask(other, other), ask(other, mine)]
    expect(await Promise.all(asked)).to.deep.equal([
      [mine.id, mine.id, 'OK'],
      [undefined, undefined, 'TOKEN_NOT_FOUND'],
      [other.id, other.id, 'OK'],
      [undefined, undefined, 'TOKEN_NOT_FOUND'],
    ])
  })

  it('leaves the order of errors as it is: first the key, then the body', async () => {
    const { client, id, apiKey, tenantId, apiKeyId } = await approved()
    expect(await validateAtOnce(apiKey, 1)).to.include({ error: 'INVALID_REQUEST_BODY' })
    await revokeApiKey(forTenant(service.operator(), tenantId), { apiKeyId })
    expect(await validateAtOnce(apiKey, 1)).to.include({ error: 'UNAUTHENTICATED_TENANT' })
    expectError(await client.status(id), 'UNAUTHENTICATED_TENANT')
  })
})
