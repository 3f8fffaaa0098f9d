import type { Config } from '#server/configuration/config.ts'
import { readCertificates } from '#server/configuration/trusted-authorities.ts'
import { type Check, check, Fault } from './check.ts'

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
