/** What a load process is told to do, and what it reports. */
export type Order = ClosedLoopOrder | OpenLoopOrder | WaitOrder | CompleteOrder | { kind: 'report' }

/** One HTTP request of a load. */
export interface BenchRequest {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}

/** A closed loop: each connection waits for its response, and then sends the next request. */
export interface ClosedLoopOrder {
  kind: 'closed loop'
  origin: string
  connections: number
  seconds: number
  requests: BenchRequest[]
  /** Whether the load ends with the last request; otherwise the requests are repeated. */
  once?: boolean
  /** The statuses that responses may have; any success by default. */
  statuses?: number[]
}

export interface ClosedLoopReport {
  /** Responses with the expected status. */
  requests: number
  /** Responses of an overloaded server, whose connections then pause. */
  rejected: number
  seconds: number
  p50Ms: number
  p99Ms: number
  /** The first other response, which stopped the load. */
  error?: string
}

/**
 * An open loop: requests are sent at a fixed rate, whether or not responses arrive. Unlike a closed loop, it can demand more
 * than a server can do. The report has one element for each client.
 */
export interface OpenLoopOrder {
  kind: 'open loop'
  origin: string
  seconds: number
  /** They send at the same time, each on its own connections. */
  clients: OpenLoopClient[]
}

/** Requests that are sent in a cycle, each at its share of the rate. */
export interface OpenLoopClient {
  requests: BenchRequest[]
  perSecond: number
  /** All are opened beforehand. */
  connections: number
  /** Each connection has an address of its own (`127.1.0.0` and on), where all of 127.0.0.0/8 is loopback, as on Linux. */
  hasAddresses?: boolean
  /** The statuses of what counts as served; any success by default. */
  statuses?: number[]
}

export interface OpenLoopReport {
  /** That were due; those for which no connection was free until the end are counted nowhere else. */
  due: number
  /** Responses with 200 or 201, or with the client's statuses. */
  served: number
  /** Those of them with 201. */
  created: number
  /** Served within a second from when they were due. */
  servedInSecond: number
  /** Rejected because of overload. */
  rejected: number
  /** Everything else: other statuses, errors of the connection. */
  failed: number
  /** A sample of what failed. */
  failure?: string
  /** Of served requests, from when they were due; null if there were none. */
  p50Ms: number | null
  p99Ms: number | null
}

/**
 * Users begin to wait for changes of statuses, one after the other within the time. Each asks again as soon as it has a
 * response, on a connection of its own, until its verification is completed.
 */
export interface WaitOrder {
  kind: 'wait'
  origin: string
  /** One for each user. */
  requests: BenchRequest[]
  withinSeconds: number
}

/** What the users who wait have got since the last report. */
export interface WaitReport {
  responses: number
  /** Responses with another status than 200, and lost connections. */
  failed: number
}

/** Sends a callback for each user who waits, until all of them have the result. */
export interface CompleteOrder {
  kind: 'complete'
  origin: string
  /** In the order of the users. */
  callbacks: BenchRequest[]
  /** Callbacks under way at a time. */
  concurrency: number
}

export interface CompleteReport {
  /** Until the last user has the result. */
  seconds: number
  /** From the response to the callback until the user has the result. */
  p50Ms: number
  p99Ms: number
  maxMs: number
}
