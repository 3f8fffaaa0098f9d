import type { AggregatorRegistry } from 'prom-client'
import type { Config } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Answer, Question } from './requester.ts'

/** `Dependencies` as it goes to another process: whoever opened it closes it. */
export type DependencyValues = Omit<Dependencies, 'close'>

/** The figures of one process, each with its values. */
export type Figures = Parameters<typeof AggregatorRegistry.aggregate>[0][number]

export type FromChild =
  /** It has loaded, and waits for `start`. */
  | { kind: 'ready' }
  | { kind: 'listening' }
  /** It could not start, for the reason in this line. */
  | { kind: 'failed'; fault: string }
  | ({ kind: 'ask for all figures' } & Question)
  | ({ kind: 'own figures' } & Answer<Figures>)

/** Secrets travel by this channel only: command lines and environments can be read by others. */
export type ToChild =
  | { kind: 'start'; config: Config; dependencies: DependencyValues }
  | ({ kind: 'ask for own figures' } & Question)
  | ({ kind: 'all figures' } & Answer<string>)
  | { kind: 'close' }
