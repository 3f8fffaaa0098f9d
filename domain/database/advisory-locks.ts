/**
 * The advisory locks of the database, by key. The keys are arbitrary but must differ from each other, and must stay
 * the same from version to version: processes of two versions run at the same time during an upgrade.
 */
export const advisoryLocks = {
  /** Migrations are applied by one process at a time. */
  migrations: 7_201_918,
  /** Deliveries are claimed by one worker at a time, so that limits counted in the table are exact. */
  deliveryClaims: 7_201_919,
  /** Signing keys are rotated one after another. */
  signingKeyRotation: 7_201_920,
} as const

/**
 * The text whose hash locks the provisioning of tenants for one user. The hash has 64 bits and is no secret: a
 * collision, also with one of the keys above, only makes two transactions wait for each other.
 */
export function provisioningLock(user: { issuer: string; subject: string }): string {
  return `provision:${JSON.stringify([user.issuer, user.subject])}`
}
