// Prints the verdict on each token of the standard input.
import { json } from 'node:stream/consumers'
import { mock } from 'node:test'

const { vectors } = await json(process.stdin)
Object.assign(process.env, { SERVICE_URL: vectors[0].issuer, TENANT_ID: vectors[0].audience })
const { isAdult } = await import('./verify-token.mjs')
for (const { token, now, responses } of vectors) {
  mock.timers.enable({ apis: ['Date'], now: now * 1000 })
  globalThis.fetch = async url => (url in responses ? new Response(responses[url]) : Response.error())
  console.log(await isAdult(token).catch(() => 'error'))
  mock.timers.reset()
}
