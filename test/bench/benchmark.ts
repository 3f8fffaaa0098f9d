import type { Child, ChildOptions } from './children/start-child.ts'
import type { ServerChild, ServerOptions } from './children/start-server.ts'
import type { Fixture } from './fixture/fixture.ts'
import type { BenchOptions } from './options.ts'
import type { Comparison, Round } from './report/table.ts'

/** A part of `npm run bench`. Its results are in `results`, in a file of its name. */
export interface Benchmark {
  name: string
  /** What it measures and what it compares with; Markdown. `--help` shows the first line. */
  description: string
  /** Whether it runs if no names are given, too, and its table is saved. */
  isUsual: boolean
  /** How many rounds, of how many seconds, unless the command line says so; 5 and 1 by default. */
  rounds?: number
  seconds?: number
  /** Concurrent connections, if it is about their number. */
  connections?: number
  /** A database of its own, with so many tenants; otherwise it uses one that others use, too. */
  data?: { tenants?: number }
  comparison?: Comparison
  /** Starts the processes, and prepares what is measured. Returns what measures a round, by its number from 1. */
  prepare(context: BenchContext): Promise<(number: number) => Promise<Round>>
}

export interface BenchContext {
  fixture: Fixture
  options: BenchOptions
  /** Starts processes that end with the benchmark. */
  start(server: ServerOptions): Promise<ServerChild>
  startChild(child: ChildOptions): Child
  /** Starts a process that generates load, by the orders that it is sent; ends with the benchmark. */
  startLoad(): Child
}
