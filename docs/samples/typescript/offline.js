import { TokenVerifier } from '@age-verification/client/offline'

const tokens = new TokenVerifier({ issuer: process.env.SERVICE_URL })
const { valid, reason } = await tokens.verify(process.env.TOKEN, { audience: process.env.TENANT_ID })
console.log(valid ? 'admit' : `refuse: ${reason}`)
