import type { DomainLog } from '#domain/scope.ts'

export interface WorkerLog extends DomainLog {
  error(fields: Record<string, unknown>, message: string): void
}
