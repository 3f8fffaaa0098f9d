import { randomInt } from 'node:crypto'
import { assertPortFree } from './listen.ts'

/** Below the range from which operating systems take the ports of outgoing connections. */
const [lowest, highest] = [12_000, 31_999]

/**
 * Returns a port on which nobody listens. Unlike the port that a system gives for port 0, no outgoing connection takes it
 * before it is used. Throws a `StartError` if the host is not an address of this machine.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  await assertPortFree({ host, port: 0 })
  for (;;) {
    const port = randomInt(lowest, highest + 1)
    if (await isPortFree(host, port)) return port
  }
}

export async function isPortFree(host: string, port: number): Promise<boolean> {
  return await assertPortFree({ host, port }).then(
    () => true,
    () => false,
  )
}
