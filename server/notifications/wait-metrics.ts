import { Gauge, type Registry } from 'prom-client'
import type { StatusWaits } from './status-waits.ts'

export function addWaitMetrics(registry: Registry, waits: Pick<StatusWaits, 'count'>): void {
  new Gauge({
    name: 'age_verification_http_waiting_requests',
    help: 'Requests of this process that wait for a change of a status, or for the first start with their key',
    registers: [registry],
    collect() {
      this.set(waits.count)
    },
  })
}
