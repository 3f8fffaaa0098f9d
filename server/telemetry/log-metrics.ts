import { Counter, type Registry } from 'prom-client'
import { standardOutput } from '../logging/standard-output.ts'

export function addLogMetrics(registry: Registry): void {
  new Counter({
    name: 'age_verification_log_lines_dropped_total',
    help: 'Lines of the log that were dropped because standard output did not take them',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(standardOutput.dropped())
    },
  })
}
