import { createServer } from 'node:http'
import { listenLocally } from '../../harness/listen-locally.ts'

/** Something in front of the service's reads, during the surrounding suite, that can hold them back. */
export function useHeldService(service: { baseUrl: string }) {
  let held: PromiseWithResolvers<void> | undefined
  let url: string
  const closing = new AsyncDisposableStack()
  before('put something in front of the service', async () => {
    const server = createServer(async ({ url = '', headers }, response) => {
      await held?.promise
      const key = { 'x-tenant-api-key': String(headers['x-tenant-api-key']) }
      const forwarded = await fetch(service.baseUrl + url, { headers: key })
      response.writeHead(forwarded.status).end(await forwarded.text())
    })
    const listening = await listenLocally(server)
    closing.defer(() => listening.close())
    url = listening.url
  })
  after(() => closing.disposeAsync())
  return {
    get url() {
      return url
    },
    hold() {
      held = Promise.withResolvers()
    },
    release() {
      held?.resolve()
      held = undefined
    },
  }
}
