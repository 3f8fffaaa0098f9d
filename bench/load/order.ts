/** One HTTP request of a load. */
export interface BenchRequest {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}

/** What a load process is asked to do: a closed loop, in which each connection waits for its answer. */
export interface LoadOrder {
  origin: string
  connections: number
  seconds: number
  requests: BenchRequest[]
  /** Whether the load ends with the last request; otherwise they are sent over and over. */
  once: boolean
  /** The status that every answer must have. */
  status: number
}

export interface LoadReport {
  requests: number
  seconds: number
  p50Ms: number
  p99Ms: number
  /** The first answer with another status; the load stopped there. */
  fault?: string
}
