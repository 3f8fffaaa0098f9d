import type { Fault } from './fault.ts'

/** Redis is killed and starts empty. */
export const crashRedis: Fault = {
  name: 'crash of Redis',
  lane: 'cache',
  weight: 2,
  lastsMs: [0, 3_000],
  effects: ['cache'],
  begin: ({ system }) => system.redis.kill(),
  heal: async ({ system, counterLosses, timeline }) => {
    await system.redis.start()
    counterLosses.push(timeline.now())
  },
}

/** Redis stops responding, with its connections open, and continues later. */
export const freezeRedis: Fault = {
  name: 'freeze of Redis',
  lane: 'cache',
  weight: 2,
  lastsMs: [300, 5_000],
  effects: ['cache', 'delay'],
  begin: async ({ system }) => system.redis.freeze(),
  heal: async ({ system }) => system.redis.resume(),
}
