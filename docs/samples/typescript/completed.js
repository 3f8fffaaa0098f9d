import { AgeVerificationClient } from '@age-verification/client'

const client = new AgeVerificationClient({
  baseUrl: process.env.SERVICE_URL,
  apiKey: process.env.API_KEY,
})
const processed = new Set() // in production: a unique key in your database

export async function completed({ event, data: { verificationId } }) {
  if (event !== 'verification.completed' || processed.has(verificationId)) return
  const { over18 } = await client.status(verificationId)
  console.log(verificationId, over18 ? 'admitted' : 'refused')
  processed.add(verificationId)
}
