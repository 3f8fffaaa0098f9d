import type { Mode } from '#development/veriff-simulator/inject-failure.ts'
import type { Run } from '../run.ts'
import type { ReceiverBehaviour } from '../system/receivers.ts'
import { chosen, type Fault } from './fault.ts'

/** Redis is killed, and starts empty. */
export const crashRedis: Fault = {
  name: 'crash of Redis',
  lane: 'redis',
  weight: 2,
  lastsMs: [0, 3_000],
  effects: ['redis'],
  begin: ({ system }) => system.redis.crash(),
  heal: recoverRedis,
}

/** Redis stops responding, with its connections open, and continues later. */
const freezeRedis: Fault = {
  ...crashRedis,
  name: 'freeze of Redis',
  lastsMs: [300, 5_000],
  effects: ['redis', 'delay'],
  begin: ({ system }) => system.redis.freeze(),
}

/** Counters may be lost: it has counted nothing since the fault began, and counts again before this resolves. */
async function recoverRedis({ system, counterLosses, timeline }: Run): Promise<void> {
  counterLosses.push(timeline.now())
  await system.redis.recover()
}

const modes: Mode[] = ['error-503', 'unreachable', 'garbage', 'wrong-signature', 'hang']
const behaviours: ReceiverBehaviour[] = ['fail', 'drop', 'hang', 'cut', 'slow']

/** The identity provider doesn't answer the service's calls as it should. */
export const breakProvider: Fault = {
  name: 'broken provider',
  lane: 'surroundings',
  weight: 1,
  lastsMs: [300, 4_000],
  effects: ['provider'],
  describe: (_, { variant }) => `(${chosen(modes, variant)})`,
  begin: ({ system }, { variant }) => system.provider.answerWith(chosen(modes, variant)),
  heal: ({ system }) => system.provider.answerWith('ok'),
}

/** No receiver accepts events. */
export const breakReceivers: Fault = {
  name: 'broken receivers',
  lane: 'surroundings',
  weight: 1,
  lastsMs: [300, 4_000],
  effects: [],
  describe: (_, { variant }) => `(${chosen(behaviours, variant)})`,
  begin: async ({ system }, { variant }) => system.receivers.behaveLike(chosen(behaviours, variant)),
  heal: async ({ system }) => system.receivers.behaveLike(undefined),
}

export const surroundingFaults = [crashRedis, freezeRedis, breakProvider, breakReceivers]
