import { Gauge, type Registry } from 'prom-client'
import { cacheBriefly } from '#domain/cache-briefly.ts'

/** A signing key lasts for months. */
const cachedMs = 60_000

/** Adds the age of the signing key, which somebody has to rotate. It may not exist yet. */
export function addSigningKeyMetric(
  registry: Registry,
  readCreatedAt: () => Promise<Date | undefined>,
): void {
  const createdAt = cacheBriefly(cachedMs, readCreatedAt)
  new Gauge({
    name: 'age_verification_signing_key_created_timestamp_seconds',
    help: 'When the newest signing key was created; NaN while the database is unavailable',
    registers: [registry],
    async collect() {
      const at = await createdAt(undefined, performance.now()).catch(() => undefined)
      this.set(at ? at.getTime() / 1_000 : Number.NaN)
    },
  })
}
