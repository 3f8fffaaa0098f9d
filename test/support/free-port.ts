import { randomInt } from 'node:crypto'
import { assertPortFree } from '#server/http/listen.ts'

/** Below the range from which operating systems take the ports of outgoing connections. */
const [lowest, highest] = [12_000, 31_999]

/**
 * A port of 127.0.0.1 on which nobody listens. No outgoing connection and hardly another test takes it meanwhile,
 * as happens to the port that a system gives for port 0.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest + 1)
    const isFree = await assertPortFree({ host: '127.0.0.1', port }).then(
      () => true,
      () => false,
    )
    if (isFree) return port
  }
}
