import type { TenantScope } from '#domain/scope.ts'

/** Reading from a standby of the database. */
export interface StandbyReads {
  /**
   * The same scope on the standby. Undefined if it is away or too far behind, or lacks a change that a member of the
   * tenant has made: then the primary is read.
   */
  scopeOn<S extends TenantScope>(scope: S): Promise<S | undefined>
  /** A read has failed: the standby is not used until it has answered again. */
  failed(): void
}
