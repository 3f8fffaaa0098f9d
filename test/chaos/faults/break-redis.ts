import type { Run } from '../run.ts'
import type { Fault } from './fault.ts'

/** The Redis that accepts writes is killed. It starts empty, or a replica is promoted. */
export const crashRedis: Fault = {
  name: 'crash of Redis',
  lane: 'cache',
  weight: 2,
  lastsMs: [0, 3_000],
  effects: ['cache'],
  begin: ({ system }) => system.cache.crash(),
  heal: recover,
  settle: ({ system }) => system.cache.settle(),
}

/** The Redis that accepts writes stops responding, with its connections open, and continues later. */
export const freezeRedis: Fault = {
  name: 'freeze of Redis',
  lane: 'cache',
  weight: 2,
  lastsMs: [300, 5_000],
  effects: ['cache', 'delay'],
  begin: ({ system }) => system.cache.freeze(),
  heal: recover,
  settle: ({ system }) => system.cache.settle(),
}

/** Counters may be lost. */
async function recover({ system, counterLosses, timeline }: Run): Promise<void> {
  await system.cache.recover()
  counterLosses.push(timeline.now())
}
