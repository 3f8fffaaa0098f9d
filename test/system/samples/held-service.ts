import { createServer } from 'node:http'
import { listenLocally } from '../../harness/listen-locally.ts'

/** Something in front of the service's reads that can hold them back, or answer for it. */
export async function startHeldService(service: { baseUrl: string }) {
  let held: PromiseWithResolvers<void> | undefined
  let answer: string | undefined
  const server = createServer(async ({ url = '', headers }, response) => {
    await held?.promise
    const key = { 'x-tenant-api-key': String(headers['x-tenant-api-key']) }
    const forwarded = answer === undefined ? await fetch(service.baseUrl + url, { headers: key }) : undefined
    response.writeHead(forwarded?.status ?? 200).end((await forwarded?.text()) ?? answer)
  })
  return {
    ...(await listenLocally(server)),
    /** To each request until it is called without one. */
    answerWith(body?: string) {
      answer = body
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
