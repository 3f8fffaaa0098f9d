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
  /** Where to look whether it was revoked: draft-ietf-oauth-status-list. */
  status: z.object({ status_list: z.object({ idx: z.int(), uri: z.string() }) }),
})

export type AgeClaims = z.infer<typeof ageClaims>
