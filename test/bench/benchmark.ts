import type { Child } from './children/start-child.ts'
import type { ServerChild, ServerOptions } from './children/start-server.ts'
import type { Fixture } from './fixture/fixture.ts'
import type { BenchOptions } from './options.ts'
import type { Comparison, Round } from './report/table.ts'

/** A part of `npm run bench`. */
export interface Benchmark {
  name: string
  /** What it measures, in one line of Markdown. */
  description: string
  /** Concurrent connections, if it is about their number. */
  connections?: number
  comparison?: Comparison
  /** Starts the processes, and prepares what is measured. Returns what measures a round. */
  prepare(context: BenchContext): Promise<() => Promise<Round>>
}

export interface BenchContext {
  fixture: Fixture
  options: BenchOptions
  /** Starts processes that end with the benchmark. */
  start(server: ServerOptions): Promise<ServerChild>
  /** Starts a process that generates load, by the orders that it is sent; ends with the benchmark. */
  startLoad(program?: 'closed-loop' | 'open-loop' | 'attack'): Child
}
