import type { Client } from 'pg'
import type { ConnectionOptions } from '#domain/postgres/index.ts'
import { isLoopbackHost } from '#server/configuration/loopback.policy.ts'
import { Fault } from './check.ts'

const clockMsMax = 2_000

/** A URL that leads to another machine without TLS says so, or the command doesn't start. */
export async function describeTls(
  client: Client,
  { ssl, host }: Pick<ConnectionOptions, 'ssl' | 'host'>,
): Promise<string> {
  const { rows } = await client.query<{ ssl: boolean; version: string }>(
    'select ssl, version from pg_stat_ssl where pid = pg_backend_pid()',
  )
  const encrypted = rows[0]
  if (encrypted?.ssl) {
    const isVerified = typeof ssl !== 'object' || ssl.rejectUnauthorized !== false
    return `${encrypted.version}${isVerified ? '' : '; the certificate is not verified: sslmode=verify-full protects from an impostor'}`
  }
  if (host.startsWith('/')) return 'not encrypted: a Unix socket'
  if (isLoopbackHost(host)) return 'not encrypted: on this machine'
  return 'not encrypted, as sslmode=disable requires'
}

/** Throws a `Fault` if the server's clock differs by more than 2 s. */
export async function describeClock(client: Client): Promise<string> {
  const before = Date.now()
  const { rows } = await client.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  )
  const offsetMs = Math.round(rows[0]!.ms - (before + Date.now()) / 2)
  if (Math.abs(offsetMs) <= clockMsMax) return `differs by ${Math.abs(offsetMs)} ms from this machine's`
  const direction = offsetMs > 0 ? 'ahead of' : 'behind'
  throw new Fault(
    `the server's clock is ${Math.abs(offsetMs) / 1000} s ${direction} this machine's: synchronize both with NTP`,
  )
}
