import { AgeVerificationClient, ChangesMissedError } from '@age-verification/client'

const { SERVICE_URL: baseUrl, API_KEY: apiKey } = process.env
const client = new AgeVerificationClient({ baseUrl, apiKey })

/** Runs as long as your service. `decide` admits or refuses, as the job of your webhook receiver does. */
export async function reconcile(app, options = {}) {
  try {
    for await (const change of client.changes(await app.readCursor(), options)) {
      await app.decide(change.verificationId, change.over18 === true)
      await app.storeCursor(change.cursor)
    }
  } catch (error) {
    if (!(error instanceof ChangesMissedError)) throw error
    await app.checkUndecided(error.missedBefore)
    await app.storeCursor(error.cursor)
    await reconcile(app, options)
  }
}
