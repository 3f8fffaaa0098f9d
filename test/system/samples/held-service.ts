import { createServer } from 'node:http'
import { listenLocally } from '../../harness/listen-locally.ts'

/** Something in front of the service's reads that can hold them back, or answer for it. */
export async function startHeldService(service: { baseUrl: string }) {
  let held: PromiseWithResolvers<void> | undefined
  let answer: string | undefined
  let status = 200
  const server = createServer(async ({ url = '', headers }, response) => {
    await held?.promise
    const key = { 'x-tenant-api-key': String(headers['x-tenant-api-key']) }
    const forwarded = answer === undefined ? await fetch(service.baseUrl + url, { headers: key }) : undefined
    response.setHeader('location', `http://localhost:${port}${url}`)
    const answered = headers.host === `localhost:${port}` ? 200 : status
    response.writeHead(forwarded?.status ?? answered).end((await forwarded?.text()) ?? answer)
  })
  const { url, port, close } = await listenLocally(server)
  return {
    url,
    close,
    /** To each request until it is called without one. A redirect leads to the answer. */
    answerWith(body?: string, answerStatus = 200) {
      answer = body
      status = answerStatus
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
