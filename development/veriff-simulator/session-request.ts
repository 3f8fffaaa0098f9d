import { z } from 'zod'
import { ProviderError, type ProviderErrorCode } from './provider-error.ts'

/** The fields that a session stores; others, such as data about the person, are ignored. Messages are the provider's codes. */
const sessionRequest = z.object(
  {
    verification: z.object(
      {
        vendorData: z.string('1501').max(1000, '1500').nullable().default(null),
        callback: z
          .url({ protocol: /^https$/, error: '1302' })
          .nullable()
          .default(null),
      },
      { error: ({ input }) => (input === undefined ? '1102' : '1104') },
    ),
  },
  '1104',
)

export type SessionRequest = z.infer<typeof sessionRequest>['verification']

/** Throws the provider's error for the first field that is invalid. */
export function readSessionRequest(bytes: Buffer): SessionRequest {
  const { data, error } = sessionRequest.safeParse(parse(bytes))
  if (error) throw new ProviderError(Number(error.issues[0]?.message) as ProviderErrorCode)
  return data.verification
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new ProviderError(1104)
  }
}
