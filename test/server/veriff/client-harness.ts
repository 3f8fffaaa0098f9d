import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { expect } from 'chai'
import { ProviderUnavailable } from '#domain/ports.ts'
import { createVeriffClient, type VeriffClientOptions } from '#server/providers/veriff/veriff-client.ts'
import { closed, listen, type Receiver } from '../webhooks/http/tls-receiver.ts'
import { sessionId, vendorData } from './payloads.ts'

export const apiKey = '8b0d1f3c-6f0a-4d5e-9d1c-2f3a4b5c6d7e'
export const secret = 'abcdef12-abcd-abcd-abcd-abcdef012345'
export const oldSecret = '00000000-abcd-abcd-abcd-abcdef012345'
export const newSecret = '11111111-abcd-abcd-abcd-abcdef012345'
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
): Promise<{ server: Receiver; client: Client }> {
  const server = await listen(createServer(listener))
  opened.push(server)
  return { server, client: clientOf(addressOf(server), options) }
}

export async function againstTcp(
  onConnection: (socket: Socket) => void,
  deadlineMs: number,
  scheme = 'http',
): Promise<Client> {
  const server = await listen(createTcpServer(onConnection))
  opened.push(server)
  return clientOf(addressOf(server, scheme), { deadlineMs })
}

export const addressOf = ({ port }: Receiver, scheme = 'http') => `${scheme}://127.0.0.1:${port}`

export async function allClosed({ connections }: Receiver): Promise<void> {
  await Promise.all(connections.map(closed))
}

export function respondJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** Expects `ProviderUnavailable` with the reason, and without secrets, tokens or content of bodies. */
export async function expectUnavailable(
  call: Promise<unknown>,
  reason: RegExp,
): Promise<ProviderUnavailable> {
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
  return error as ProviderUnavailable
}
