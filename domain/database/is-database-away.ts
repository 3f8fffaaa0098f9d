import { ServerRoleError } from '../postgres/index.ts'
import { isConnectionError, isServerError, readDriverMessage } from './database-error.ts'

/**
 * Whether an error, or what caused it, says that PostgreSQL is away for now: it can't be reached, is starting or shutting
 * down, is not the primary, or has no connection, memory or disk left. Not for what stays wrong until somebody changes it,
 * such as a password, a certificate or a parameter.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.cause !== undefined) return isDatabaseAway(error.cause)
  if (error instanceof ServerRoleError) return true
  const code = 'code' in error ? error.code : undefined
  if (typeof code !== 'string') return readDriverMessage(error) !== undefined
  if (code === protocolViolation) return !rejectedByPooler.test(error.message)
  return isServerError(error, code) ? awayStates.test(code) : isConnectionError(error, code)
}

/**
 * SQLSTATE: connections, a read-only server, conflicts, resources, an operator's intervention, system errors; and 55000, of a
 * database that accepts no connections for now.
 */
const awayStates = /^(08...|25006|40...|53...|55000|57...|58...)$/

/** What PgBouncer says in every error of its own, also while PostgreSQL is away from it. */
const protocolViolation = '08P01'
const rejectedByPooler =
  /^unsupported startup parameter|no such (database|user)|authentication failed|auth failed/i
