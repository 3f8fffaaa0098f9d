import type { Fixture } from '../fixture/fixture.ts'
import type { FloorParts } from '../floor/parts.ts'
import type { BenchRequest } from '../load/orders.ts'

/** One hot path: the requests to the service, and the least work that could produce the same response. */
export interface RequestScenario {
  name: string
  /** What each request does, in one sentence. */
  description: string
  /** What the floor does for it, in one sentence. */
  floorDescription: string
  /** The expected status of every response; another one ends the run, because it measures something else. */
  status: number
  /** Returns the requests to send in a cycle; at least `count` if each can be sent only once. */
  requests(fixture: Fixture, count: number): Promise<BenchRequest[]>
  /** Whether each request can be sent only once. */
  single: boolean
  /** Concurrent connections, if the scenario is about their number. */
  connections?: number
  floor(parts: FloorParts): Promise<FloorHandler>
}

/** Returns the response body, to be serialized as JSON. */
type FloorHandler = (request: {
  headers: NodeJS.Dict<string | string[]>
  query: string
  body: Buffer
}) => Promise<unknown>
