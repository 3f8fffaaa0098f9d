import { missingFacts } from '#domain/practice-statement/practice.ts'
import type { Config } from '#server/configuration/config.ts'
import { type Check, check } from './check.ts'

/** Never at fault: the service works without what its operator states, but somebody has to sign. */
export async function checkPractice(config: Config): Promise<Check> {
  return await check('practice-statement', async () => {
    const missing = missingFacts(config.practice)
    if (missing.length === 0) return 'has everything that the operator states'
    return `shown as missing at ${config.baseUrl}/practice-statement, until PRACTICE has them: ${missing.join(', ')}`
  })
}
