import type { EntityManager } from '@mikro-orm/postgresql'
import type { Actor, Scope } from '#domain/scope.ts'

/** All of a scope but what belongs to one request. */
export type ScopeParts = Omit<Scope, 'actor' | 'now' | 'em'>

/** Makes scopes: one for each request or job, with a unit of work that costs nothing until it is used. */
export function createScopeFactory(parts: ScopeParts, em: EntityManager) {
  return function scopeFor<By extends Actor>(actor: By, now = parts.clock()): Scope<By> {
    let forked: EntityManager | undefined
    return {
      ...parts,
      actor,
      now,
      get em() {
        forked ??= em.fork()
        return forked
      },
    }
  }
}

export type ScopeFor = ReturnType<typeof createScopeFactory>
