import { randomInt } from 'node:crypto'
import { assertPortFree } from './listen.ts'

/** Below the range from which operating systems take the ports of outgoing connections. */
const [lowest, highest] = [12_000, 31_999]

/** What this process was given already: it may not have bound them yet. */
const given = new Set<number>()

/**
 * Returns a port on which nobody listens, and another one each time. Unlike the port that a system gives for port 0, no outgoing connection takes it
 * before it is used. Throws a `StartError` if the host is not an address of this machine.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  await assertPortFree({ host, port: 0 })
  for (;;) {
    const port = randomInt(lowest, highest + 1)
    if (given.has(port)) continue
    given.add(port)
    if (await isPortFree(host, port)) return port
  }
}

export async function isPortFree(host: string, port: number): Promise<boolean> {
  return await assertPortFree({ host, port }).then(
    () => true,
    () => false,
  )
}
