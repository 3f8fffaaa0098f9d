import type { Benchmark } from './benchmark.ts'
import { measure } from './measure.ts'
import { summaryRow } from './report/summary.ts'
import { table } from './report/table.ts'
import type { Scenario } from './scenario.ts'
import { targetsOf } from './targets.ts'

/** To start a target and to warm it up. */
const preparationSeconds = 7

/** Measures a scenario's targets. */
export function scenarioBenchmark(scenario: Scenario): Benchmark {
  const { name, description, floorDescription, connections } = scenario
  return {
    name,
    description: `${description}\nFloor: ${floorDescription}`,
    ...(connections ? { connections } : {}),
    durationSeconds({ rounds, seconds, compare }) {
      const targets = 2 + (compare ? 1 : 0)
      return targets * (preparationSeconds + rounds * (seconds + (scenario.single ? 1 : 0)))
    },
    async run({ fixture, options, onRound }) {
      const measurements = await measure(targetsOf(fixture, scenario, options), scenario, options, onRound)
      return { table: table(measurements), summary: summaryRow(name, measurements) }
    },
  }
}
