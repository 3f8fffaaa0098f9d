import { AgeVerificationClient } from '@age-verification/client'

const client = new AgeVerificationClient({
  baseUrl: process.env.SERVICE_URL,
  apiKey: process.env.API_KEY,
})

const { verificationId, sessionUrl } = await client.start()
console.log(verificationId, sessionUrl)
