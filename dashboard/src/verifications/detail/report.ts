import type { Outputs } from '../../trpc/trpc.ts'

/** What the identity provider reported with a change. */
export type Report = Pick<Outputs['verifications']['get']['timeline'][number], 'code' | 'reasonCode'>

/** As "Code 9102, reason code 502", by which its documentation can be searched; undefined without codes. */
export function codesOf({ code, reasonCode }: Report): string | undefined {
  if (code === null) return reasonCode === null ? undefined : `Reason code ${reasonCode}`
  return reasonCode === null ? `Code ${code}` : `Code ${code}, reason code ${reasonCode}`
}
