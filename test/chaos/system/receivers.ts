import type { ServerResponse } from 'node:http'
import type { Random } from '#test/harness/random.ts'
import { startReceiver } from '#test/server/webhooks/http/tls-receiver.ts'

/** What a receiver does with a request, after it has recorded it. */
export type ReceiverBehaviour = 'accept' | 'slow' | 'fail' | 'hang' | 'drop' | 'cut'

/** A request that arrived at a tenant's receiver. */
export interface ReceivedAttempt {
  /** The path of the tenant's URL. */
  path: string
  body: string
  signature: string
  behaviour: ReceiverBehaviour
  /** By `performance.now()`. */
  at: number
}

export type Receivers = Awaited<ReturnType<typeof startReceivers>>

const mixture: { behaviour: ReceiverBehaviour; weight: number }[] = [
  { behaviour: 'accept', weight: 80 },
  { behaviour: 'slow', weight: 6 },
  { behaviour: 'fail', weight: 6 },
  { behaviour: 'drop', weight: 4 },
  { behaviour: 'cut', weight: 4 },
]

/** All tenants' webhook receivers, told apart by path. */
export async function startReceivers(random: Random) {
  const attempts: ReceivedAttempt[] = []
  let forced: { behaviour: ReceiverBehaviour; only: string | undefined } | undefined
  const receiver = await startReceiver({}, (response, { url: path = '', headers }) => {
    const { behaviour } = forced && (forced.only ?? path) === path ? forced : random.weighted(mixture)
    // Bodies are recorded in the order in which they are complete, immediately before this call.
    const body = receiver.bodies.at(-1)!
    const signature = String(headers['x-webhook-signature'])
    attempts.push({ path, body, signature, behaviour, at: performance.now() })
    behave(behaviour, response, random)
  })
  return {
    attempts,
    urlOf: (path: string) => `https://127.0.0.1:${receiver.port}${path}`,
    /** Replaces the usual mixture, which mostly accepts, of all receivers or only one; undefined restores it. */
    behaveLike(behaviour: ReceiverBehaviour | undefined, only?: string) {
      forced = behaviour && { behaviour, only }
    },
    close: () => receiver.close(),
  }
}

function behave(behaviour: ReceiverBehaviour, response: ServerResponse, random: Random): void {
  if (behaviour === 'accept') response.writeHead(204).end()
  if (behaviour === 'slow') setTimeout(() => response.writeHead(200).end('late'), random.between(500, 3_000))
  if (behaviour === 'fail') response.writeHead(500).end('{}')
  if (behaviour === 'drop') response.socket?.destroy()
  if (behaviour === 'cut') {
    response.writeHead(200, { 'content-length': '100' }).write('half of', () => response.destroy())
  }
}
