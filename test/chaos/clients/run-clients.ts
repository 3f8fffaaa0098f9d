import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '#test/harness/random.ts'
import type { Run } from '../run.ts'
import { pause } from './calls.ts'
import { followChanges } from './follow-changes.ts'
import { journeys } from './journeys.ts'

/** How long journeys that have begun may take after the end, before their requests are given up. */
const drainMs = 4_000

/** Concurrent clients. The seed and a journey's number determine what it does, whatever the timing. */
export function startClients(run: Run, count: number) {
  let stopping = false
  async function repeat(client: number): Promise<void> {
    for (let number = 0; !stopping; number += 1) {
      const random = createRandom(run.seed, `client ${client}, journey ${number}`)
      await random.weighted(journeys).go(run, random)
      if (!stopping) await pause(random, 50, 400)
    }
  }
  async function follow(name: string): Promise<void> {
    const random = createRandom(run.seed, `changes ${name}`)
    while (!stopping) {
      await followChanges(run, random, run.ledger.tenant(name), { wait: 1 })
      await pause(random, 50, 200)
    }
  }
  const followed = ['with events', 'without events'].map(follow)
  const done = Promise.all([...followed, ...Array.from({ length: count }, (_, client) => repeat(client))])
  // A rejection is reported by `stop`.
  done.catch(() => undefined)
  return {
    /** Resolves when no journey is left. */
    async stop() {
      stopping = true
      await Promise.race([done, wait(drainMs, undefined, { ref: false })])
      run.sender.abort()
      await done
    },
  }
}
