/** One HTTP request of a load. */
export interface BenchRequest {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}

/** The instructions for a load process: a closed loop in which each connection waits for its response. */
export interface LoadOrder {
  origin: string
  connections: number
  seconds: number
  requests: BenchRequest[]
  /** Whether the load ends with the last request; otherwise the requests are repeated. */
  once: boolean
  /** The load ends after so many requests, if not before. */
  requestsMax?: number
  /** The status that every response must have. */
  status: number
}

export interface LoadReport {
  /** Responses with the expected status. */
  requests: number
  /** Responses of an overloaded server, whose connections then pause. */
  rejected: number
  seconds: number
  p50Ms: number
  p99Ms: number
  /** The first response with another status for another reason, which stopped the load. */
  error?: string
}
