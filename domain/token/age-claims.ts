import { z } from 'zod'

/** The claims of an age token. No personal data. */
export const ageClaims = z.object({
  iss: z.string(),
  /** The verificationId. */
  sub: z.uuid(),
  /** The tenantId. */
  aud: z.uuid(),
  jti: z.uuid(),
  /** Seconds since the epoch. */
  iat: z.int(),
  /** Seconds since the epoch. */
  exp: z.int(),
  over18: z.boolean(),
})

export type AgeClaims = z.infer<typeof ageClaims>
