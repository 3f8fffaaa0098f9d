import { z } from 'zod'
import { inspectToken } from '#domain/inspection/inspect-token.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { validationReasons } from '#domain/token/validate-token.ts'
import { timestamp } from './fields.ts'
import { memberProcedure, router } from './trpc.ts'

const inspection = z.object({
  valid: z.boolean(),
  over18: z.boolean(),
  /** Why it is not valid; null if it is. */
  reason: z.enum(validationReasons).nullable(),
  message: z.string(),
  /** What the text says, whoever has signed it; null if it is not a JWT. */
  header: z.record(z.string(), z.unknown()).nullable(),
  claims: z.record(z.string(), z.unknown()).nullable(),
  /** Of a token of the tenant; null otherwise, like the times. */
  verificationId: z.string().nullable(),
  expiresAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
})

export const tokensRouter = router({
  /** Validates a token as `POST /tokens/validate` does. A mutation, so that the token is in no URL. Changes nothing. */
  inspect: memberProcedure('read')
    .input(z.strictObject({ token: z.string().max(8_192) }))
    .output(inspection)
    .mutation(({ ctx: { scope }, input }) => inspectToken(scope, input)),

  /** Takes effect immediately. Revoking again changes nothing. */
  revoke: memberProcedure('tokens')
    .input(z.strictObject({ verificationId: z.uuid() }))
    .output(z.object({ verificationId: z.string(), jti: z.string(), revokedAt: timestamp }))
    .mutation(({ ctx: { scope }, input }) => revokeToken(scope, input)),
})
