import type { EntityManager } from '@mikro-orm/postgresql'
import type { Actor, Scope } from '#domain/scope.ts'

/** The parts of a scope that all requests and jobs share. */
type ScopeParts = Omit<Scope, 'actor' | 'now' | 'em' | 'request'>

/** Creates one scope per request or job. Its unit of work is forked on first use. */
export function createScopeFactory(parts: ScopeParts, em: EntityManager) {
  return function scopeFor<By extends Actor>(
    actor: By,
    now = parts.clock(),
    { log, request }: Pick<Scope, 'log' | 'request'> = parts,
  ): Scope<By> {
    let forked: EntityManager | undefined
    return {
      ...parts,
      actor,
      now,
      log,
      request,
      get em() {
        forked ??= em.fork()
        return forked
      },
    }
  }
}

export type ScopeFor = ReturnType<typeof createScopeFactory>
