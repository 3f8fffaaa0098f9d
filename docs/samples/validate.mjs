import { AgeVerificationClient } from '@age-verification/client'

const client = new AgeVerificationClient({
  baseUrl: process.env.SERVICE_URL,
  apiKey: process.env.API_KEY,
})

const { valid, reason } = await client.validateToken(process.env.TOKEN)
console.log(valid, reason)
