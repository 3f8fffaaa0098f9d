import { readFileSync } from 'node:fs'
import { Gauge, type Registry } from 'prom-client'
import { cacheBriefly } from '#domain/cache-briefly.ts'
import { findFirstExpiry } from '#domain/certificate-expiry.ts'
import type { Database } from '#domain/schema/open-database.ts'
import type { Dependencies } from '../configuration/dependencies.ts'
import type { ServerCertificateName, watchServerCertificates } from './server-certificates.ts'

/** When a certificate expires; undefined where there is none. */
type Certificates = Readonly<Record<CertificateName, () => Date | undefined>>

type CertificateName =
  | 'webhook_authorities'
  | 'database_authorities'
  | 'database_client'
  | 'database_server'
  | ServerCertificateName

/** A signing key lasts for months. */
const keyCachedMs = 60_000

/** Adds what somebody has to renew in time: certificates, and the signing key, which may not exist yet. */
export function addExpiryMetrics(
  registry: Registry,
  certificates: Certificates,
  signingKeyCreatedAt: () => Promise<Date | undefined>,
): void {
  const registers = [registry]
  new Gauge({
    name: 'age_verification_certificate_expiry_timestamp_seconds',
    help: 'When the first of the certificates expires; only of those that are used',
    labelNames: ['certificate'],
    registers,
    collect() {
      for (const [certificate, expiry] of Object.entries(certificates)) {
        const at = expiry()
        if (at) this.set({ certificate }, toSeconds(at))
      }
    },
  })
  const createdAt = cacheBriefly(keyCachedMs, signingKeyCreatedAt)
  new Gauge({
    name: 'age_verification_signing_key_created_timestamp_seconds',
    help: 'When the newest signing key was created; NaN while the database is unavailable',
    registers,
    async collect() {
      const at = await createdAt(undefined, performance.now()).catch(() => undefined)
      this.set(at ? toSeconds(at) : Number.NaN)
    },
  })
}

/** Files are read once, as the connections that use them do. */
export function readCertificates(
  { certificates: { authorities, client, server } }: Pick<Database, 'certificates'>,
  { receiverAuthorities }: Pick<Dependencies, 'receiverAuthorities'>,
  { expiry }: Pick<ReturnType<typeof watchServerCertificates>, 'expiry'>,
): Certificates {
  const webhookAuthorities = receiverAuthorities && findFirstExpiry(readFileSync(receiverAuthorities, 'utf8'))
  return {
    webhook_authorities: () => webhookAuthorities || undefined,
    database_authorities: () => authorities,
    database_client: () => client,
    database_server: server,
    redis_server: () => expiry('redis_server'),
    identity_provider: () => expiry('identity_provider'),
    sign_in_provider: () => expiry('sign_in_provider'),
    base_url: () => expiry('base_url'),
  }
}

function toSeconds(date: Date): number {
  return date.getTime() / 1_000
}
