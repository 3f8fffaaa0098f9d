import type { Config } from '#server/configuration/config.ts'
import { describeNodeAuthorities, readCertificates } from '#server/configuration/trusted-authorities.ts'
import { type Check, check, Fault } from './check.ts'

/** Those of Redis, the provider and the sign-in provider, where the variable is set that adds to Node's own. */
export async function checkNodeAuthorities(env: Record<string, string | undefined>): Promise<Check[]> {
  const file = env.NODE_EXTRA_CA_CERTS
  if (!file) return []
  const found = check('node-authorities', async () => {
    const fault = describeNodeAuthorities(env)
    if (fault !== undefined) throw new Fault(fault)
    return `those of Node.js and of ${file}`
  })
  return [await found]
}

export async function checkReceiverAuthorities({ webhookCaFile: file }: Config): Promise<Check> {
  return await check('webhook-authorities', async () => {
    if (file === undefined) return 'those of Node.js; WEBHOOK_CA_FILE adds others'
    const now = new Date()
    const certificates = readCertificates(file)
    const expired = certificates.filter(({ validToDate }) => validToDate < now)
    if (expired.length > 0) {
      const subjects = expired.map(({ subject, validTo }) => `${subject} (${validTo})`).join(', ')
      throw new Fault(
        `WEBHOOK_CA_FILE ${file} has expired certificates: ${subjects}: replace them, or deliveries fail`,
      )
    }
    const [first] = certificates.toSorted((a, b) => a.validToDate.getTime() - b.validToDate.getTime())
    return `those of Node.js and ${certificates.length} of ${file}; the first of these expires on ${first!.validTo}`
  })
}
