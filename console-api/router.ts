import { apiKeysRouter } from './api-keys.ts'
import { auditRouter } from './audit.ts'
import { billingRouter } from './billing.ts'
import { membersRouter } from './members.ts'
import { sessionRouter } from './session.ts'
import { settingsRouter } from './settings.ts'
import { tenantRouter } from './tenant.ts'
import { tokensRouter } from './tokens.ts'
import { router } from './trpc.ts'
import { usageRouter } from './usage.ts'
import { verificationsRouter } from './verifications.ts'

/** All procedures of the console, by noun. */
export const consoleRouter = router({
  session: sessionRouter,
  tenant: tenantRouter,
  members: membersRouter,
  apiKeys: apiKeysRouter,
  settings: settingsRouter,
  verifications: verificationsRouter,
  tokens: tokensRouter,
  usage: usageRouter,
  billing: billingRouter,
  audit: auditRouter,
})

export type ConsoleRouter = typeof consoleRouter
