import { AgeVerificationClient } from '@age-verification/client'

const client = new AgeVerificationClient({
  baseUrl: process.env.SERVICE_URL,
  apiKey: process.env.API_KEY,
})

const { status, over18, token } = await client.status(process.env.VERIFICATION_ID)
console.log(status, over18, token)
