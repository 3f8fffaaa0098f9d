import { TokenVerifier } from '@age-verification/client/offline'

// Of a test tenant, whose keys begin with avk_test_, the issuer is `${process.env.SERVICE_URL}/test`.
const tokens = new TokenVerifier({ issuer: process.env.SERVICE_URL })
const { valid, reason } = await tokens.verify(process.env.TOKEN ?? '', { audience: process.env.TENANT_ID })
console.log(valid ? 'admit' : `refuse: ${reason}`)
