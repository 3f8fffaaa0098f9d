import { z } from 'zod'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { timestamp } from './fields.ts'
import { memberProcedure, router } from './trpc.ts'

export const tokensRouter = router({
  /** Takes effect immediately. Revoking again changes nothing. */
  revoke: memberProcedure('tokens')
    .input(z.strictObject({ verificationId: z.uuid() }))
    .output(z.object({ verificationId: z.string(), jti: z.string(), revokedAt: timestamp }))
    .mutation(({ ctx: { scope }, input }) => revokeToken(scope, input)),
})
