import { AgeVerificationClient, AgeVerificationError, CompletionTimeoutError } from '@age-verification/client'

const { SERVICE_URL: baseUrl, API_KEY: apiKey } = process.env
const client = new AgeVerificationClient({ baseUrl, apiKey })

/** Once, when the user arrives at your return URL: the provider is asked soon. The result is often there first. */
export async function reportReturn(verificationId) {
  try {
    await client.submit(verificationId)
  } catch (error) {
    const isCompleted =
      error instanceof AgeVerificationError && error.code === 'VERIFICATION_ALREADY_COMPLETED'
    if (!isCompleted) throw error
  }
}

/** The provider reports what the user did a moment after the user has come back. */
const reportMsMax = 5_000

/**
 * What to show to a user who has come back from the hosted page. `shownStatus` is the one that the user saw last.
 * Ask again while it is `wait` or `continue`.
 */
export async function nextPage(verificationId, shownStatus, timeoutMs = 60_000) {
  const unfinished = shownStatus === 'resubmission' ? 'resubmission' : 'pending'
  const soon = { timeoutMs: Math.min(timeoutMs, reportMsMax) }
  try {
    await client.waitForChange(verificationId, { from: unfinished, ...soon })
    await client.waitForChange(verificationId, { from: 'started', ...soon })
    const options = { stopAtResubmission: true, timeoutMs }
    const { status, completedAt, over18 } = await client.waitForCompletion(verificationId, options)
    if (completedAt === null) return 'new-pictures'
    if (over18) return 'welcome'
    return ['approved', 'denied'].includes(status) ? 'refused' : 'start-again'
  } catch (error) {
    if (!(error instanceof CompletionTimeoutError)) throw error
    const { status, completedAt } = error.verification ?? {}
    if (completedAt) return 'start-again' // a resubmission that nobody continued in time
    return status === unfinished || status === 'started' ? 'continue' : 'wait'
  }
}
