import { z } from 'zod'
import type { Config } from '#server/configuration/config.ts'
import { check, type Examined, Fault, remoteMsMax } from './check.ts'
import { readJson } from './describe-fetch-error.ts'

const published = z.object({ missing: z.array(z.string()) })

/** Reads the page as anyone does. What it lacks is no fault: the service works without, but somebody has to sign. */
export async function checkPractice({ baseUrl }: Config): Promise<Examined> {
  const page = `${baseUrl}/practice-statement`
  const signal = AbortSignal.timeout(remoteMsMax)
  const examine = async () => {
    const response = await fetch(`${page}.json`, { redirect: 'manual', signal })
    const { data } = published.safeParse(await readJson(response))
    if (!data) {
      throw new Fault(`${page}.json is not the statement: check the proxy’s routes, and the API’s log`)
    }
    if (data.missing.length === 0) return 'has everything that the operator states'
    return `shown as missing at ${page}, until the API’s settings have them: ${data.missing.join(', ')}`
  }
  return await check('practice-statement', examine, remoteMsMax)
}
