import type { ServerAddress, TargetSessionAttributes } from './server-list.ts'

/** A server answers, but it is not of the kind that the connection is for, such as a standby. */
export class ServerRoleError extends Error {
  override name = 'ServerRoleError'

  constructor({ name, port }: Pick<ServerAddress, 'name' | 'port'>, role: string) {
    super(`the server ${name}:${port} is ${role}`)
  }
}

/** What a server reports about itself when a connection begins, and at each change. */
export interface ReportedState {
  in_hot_standby?: string
  default_transaction_read_only?: string
}

export interface ServerState {
  isStandby: boolean
  isReadOnly: boolean
}

/** The reported state; undefined if a connection pooler leaves out a part of it. */
export function serverState(reported: ReportedState): ServerState | undefined {
  const { in_hot_standby: standby, default_transaction_read_only: readOnly } = reported
  if (standby === undefined || readOnly === undefined) return undefined
  const isStandby = standby === 'on'
  return { isStandby, isReadOnly: isStandby || readOnly === 'on' }
}

/** The same, asked of the server. */
export const serverStateQuery = `select pg_is_in_recovery() as "isStandby",
  pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool as "isReadOnly"`

/** What makes the server unsuitable, as the end of a sentence; undefined if nothing does. */
export function unsuitableRole(
  target: TargetSessionAttributes,
  { isStandby, isReadOnly }: ServerState,
): string | undefined {
  if (target === 'read-write' && isReadOnly) return isStandby ? 'a standby' : 'read-only'
  if (target === 'read-only' && !isReadOnly) return 'not read-only'
  if (target === 'primary' && isStandby) return 'a standby'
  if (target === 'standby' && !isStandby) return 'not a standby'
  return undefined
}
