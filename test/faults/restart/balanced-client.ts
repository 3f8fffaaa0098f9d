import { setTimeout as wait } from 'node:timers/promises'
import { type ApiResponse, type Call, call } from '../../harness/tenant-client.ts'

export const probeEveryMs = 200

export interface BalancedClient {
  /** Sends a request once, to the ready processes in turns. Throws if none is ready, or the connection fails. */
  send(path: string, options?: Call): Promise<ApiResponse>
  isReady(baseUrl: string): boolean
  close(): Promise<void>
}

/**
 * What a load balancer does that repeats nothing: it probes each process and routes requests to those whose last probe was
 * successful, on connections that it keeps.
 */
export function createBalancedClient(baseUrls: readonly string[]): BalancedClient {
  const ready = new Set<string>()
  const closing = new AbortController()
  const probers = baseUrls.map(async baseUrl => {
    while (!closing.signal.aborted) {
      const status = await call(`${baseUrl}/health/ready`).then(
        response => response.status,
        () => undefined,
      )
      if (status === 200) ready.add(baseUrl)
      else ready.delete(baseUrl)
      await wait(probeEveryMs)
    }
  })
  let turn = 0
  return {
    async send(path, options) {
      const targets = [...ready]
      const target = targets[turn++ % targets.length]
      if (target === undefined) throw new Error('No process is ready')
      return await call(`${target}${path}`, options)
    },
    isReady: baseUrl => ready.has(baseUrl),
    async close() {
      closing.abort()
      await Promise.all(probers)
    },
  }
}
