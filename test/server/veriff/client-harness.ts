import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import { ProviderUnavailable } from '#domain/ports.ts'
import { createVeriffClient, type VeriffClientOptions } from '#server/veriff/veriff-client.ts'
import { type Loopback, serveHttp, serveTcp } from './loopback.ts'
import { sessionId, vendorData } from './payloads.ts'

export const apiKey = '8b0d1f3c-6f0a-4d5e-9d1c-2f3a4b5c6d7e'
export const secret = 'abcdef12-abcd-abcd-abcd-abcdef012345'
export const oldSecret = '00000000-abcd-abcd-abcd-abcdef012345'
export const sessionUrl = 'https://alchemy.veriff.com/v/eyJhbGciOiJIUzI1NiJ9.secret-token.c2ln'
export const created = {
  status: 'success',
  verification: { id: sessionId, url: sessionUrl, status: 'created' },
}
export const sessionRequest = { verificationId: vendorData, callback: undefined }

export type Client = ReturnType<typeof createVeriffClient>

const opened: { close(): Promise<void> }[] = []

/** Closes the clients and servers of a test, newest first; for `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const part of opened.splice(0).reverse()) await part.close()
}

/** A client with two shared secrets, whose clock is at 2026-11-20. */
export function clientOf(baseUrl: string, options: Partial<VeriffClientOptions> = {}): Client {
  const client = createVeriffClient({
    baseUrl,
    apiKey,
    sharedSecrets: [secret, oldSecret],
    clock: () => new Date('2026-11-20T12:00:00Z'),
    ...options,
  })
  opened.push(client)
  return client
}

export async function against(
  listener: RequestListener,
  options: Partial<VeriffClientOptions> = {},
): Promise<{ server: Loopback; client: Client }> {
  const server = await serveHttp(listener)
  opened.push(server)
  return { server, client: clientOf(`http://${server.host}`, options) }
}

export async function againstTcp(
  onConnection: Parameters<typeof serveTcp>[0],
  deadlineMs: number,
  scheme = 'http',
): Promise<Client> {
  const server = await serveTcp(onConnection)
  opened.push(server)
  return clientOf(`${scheme}://${server.host}`, { deadlineMs })
}

/** Expects `ProviderUnavailable` with the reason, and without secrets, tokens or content of bodies. */
export async function expectUnavailable(call: Promise<unknown>, reason: RegExp): Promise<void> {
  const error = await call.then(
    () => expect.fail('The call succeeded.'),
    (thrown: unknown) => thrown,
  )
  expect(error).to.be.instanceOf(ProviderUnavailable)
  const { message, cause } = error as ProviderUnavailable
  expect(message).to.match(reason)
  expect(cause).to.equal(undefined)
  for (const confidential of [apiKey, secret, oldSecret, 'secret-token', 'ANNA', sessionId, '127.0.0.1']) {
    expect(message).not.to.include(confidential)
  }
}
