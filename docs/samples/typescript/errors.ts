import { type AgeVerificationClient, AgeVerificationError } from '@age-verification/client'

export async function startOrExplain(client: AgeVerificationClient): Promise<string> {
  try {
    const { sessionUrl } = await client.start()
    return sessionUrl
  } catch (error) {
    if (!(error instanceof AgeVerificationError)) throw error
    if (error.is('QUOTA_EXCEEDED'))
      return `All ${error.details?.limit} are used until ${error.details?.resetsAt}`
    return `${error.code} (request ${error.requestId})`
  }
}
