import { describeError } from '../describe-error.ts'

export interface Check {
  name: string
  ok: boolean
  /** What was found; if not ok, also what to do. One line. */
  message: string
}

/** What is wrong, and what to do. */
export class Fault extends Error {
  override name = 'Fault'
}

/** Of a check that doesn't say more: together they end within 15 s, whatever is frozen. */
const defaultMsMax = 6_000

/** Of what is asked while the database is checked, and has deadlines of its own. */
export const remoteMsMax = 12_000

/** Runs one check, whose result is what `examine` returns. It is not ok if that throws or takes longer. */
export async function check(
  name: string,
  examine: () => Promise<string>,
  msMax = defaultMsMax,
): Promise<Check> {
  try {
    if (msMax < 100) throw new Fault('not checked, as what is above took too long')
    return { name, ok: true, message: await inTime(examine(), msMax) }
  } catch (error) {
    return { name, ok: false, message: error instanceof Fault ? error.message : describeError(error).message }
  }
}

async function inTime<Result>(work: Promise<Result>, msMax: number): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Fault(`did not finish within ${Math.ceil(msMax / 1_000)} s`)),
    msMax,
  )
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
