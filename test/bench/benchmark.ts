import type { Fixture } from './fixture/open-fixture.ts'
import type { Servers } from './fixture/open-servers.ts'
import type { OnRound } from './measure.ts'
import type { BenchOptions } from './options.ts'
import type { SummaryRow } from './report/summary.ts'

/** One part of a run: what it measures, and how. */
export interface Benchmark {
  name: string
  /** What it measures and what it compares with; Markdown. */
  description: string
  /** Its concurrent connections, if they are not those of the options. */
  connections?: number
  /** The expected duration in seconds. Progress is based on it. */
  durationSeconds(options: BenchOptions): number
  run(context: BenchContext): Promise<BenchResults>
}

export interface BenchContext {
  servers: Servers
  /** The database that benchmarks share. */
  fixture: Fixture
  options: BenchOptions
  onRound: OnRound
}

export interface BenchResults {
  /** Markdown. */
  table: string
  /** Its line in the table that compares all scenarios with the floor. */
  summary?: SummaryRow
}
