import type { Mode } from '#development/veriff-simulator/simulator.ts'
import type { ReceiverBehaviour } from '../surroundings/receivers.ts'
import { chosen, type Fault } from './fault.ts'

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
