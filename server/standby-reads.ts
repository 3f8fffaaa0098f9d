import type { StandbyReads } from '#console-api/standby-reads.ts'
import type { Scope } from '#domain/scope.ts'
import { hasNewestChanges } from '#domain/standby/has-newest-changes.ts'
import type { Standby } from '#domain/standby/open-standby.ts'

/** Moves scopes to the standby while it may be read. */
export function createStandbyReads(standby: Standby): StandbyReads {
  return {
    async scopeOn(scope) {
      if (!standby.isCurrent()) return undefined
      try {
        const pools = { primary: scope.pool, standby: standby.pool }
        const isComplete = await hasNewestChanges(pools, scope.actor.tenantId)
        return isComplete ? onStandby(scope, standby) : undefined
      } catch {
        // If it was the primary that failed, reading it reports that.
        standby.failed()
        return undefined
      }
    },
    failed: () => standby.failed(),
  }
}

/** The unit of work of the primary, which a scope forks on first use, is never created. */
function onStandby<S extends Scope>(scope: S, { orm, pool }: Standby): S {
  const { em: _, ...properties } = Object.getOwnPropertyDescriptors(scope)
  const replaced = { em: orm.em.fork(), pool }
  return Object.assign(Object.defineProperties({}, properties), replaced) as unknown as S
}
