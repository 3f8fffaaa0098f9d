import type { Fixture } from './fixture/open-fixture.ts'
import type { FloorParts } from './floor/parts.ts'
import type { BenchRequest } from './load/order.ts'

/** One hot path: what is asked of the service, and the least that could answer it. */
export interface Scenario {
  name: string
  /** What each request does, in a sentence. */
  does: string
  /** What the floor does for it, in a sentence. */
  floorDoes: string
  /** The answer that every request must get; another one ends the run, because it measures something else. */
  status: number
  /** Requests to be sent in turn; where `single` holds, each of them at most once. */
  requests(fixture: Fixture, count: number): Promise<BenchRequest[]>
  single: boolean
  floor(parts: FloorParts): Promise<FloorHandler>
}

/** Answers with what becomes the body's JSON. */
export type FloorHandler = (request: FloorRequest) => Promise<unknown>

export interface FloorRequest {
  headers: NodeJS.Dict<string | string[]>
  query: string
  body: Buffer
}
