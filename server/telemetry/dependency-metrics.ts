import { Gauge, type Registry } from 'prom-client'
import type { DependencyStates } from '../http/health.ts'

/** The value of the label `dependency`, by the name in `/health/ready`. */
const labels: Record<string, string> = {
  database: 'database',
  redis: 'redis',
  signInProvider: 'sign_in_provider',
}

/** Adds what readiness knows of the dependencies: their probes have deadlines, and are shared for a second. */
export function addDependencyMetrics(registry: Registry, readStates: () => Promise<DependencyStates>): void {
  new Gauge({
    name: 'age_verification_dependency_up',
    help: 'Whether this process can use a dependency (1) or not (0); none while that is not known',
    labelNames: ['dependency'],
    registers: [registry],
    async collect() {
      for (const [name, state] of Object.entries(await readStates())) {
        const dependency = labels[name]
        if (dependency) this.set({ dependency }, state === 'up' ? 1 : 0)
      }
    },
  })
}
