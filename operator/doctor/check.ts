import { describeError } from '../describe-error.ts'

export interface Check {
  name: string
  ok: boolean
  /** What was found; if not ok, also what to do. One line. */
  message: string
}

/** A check that has run. */
export interface Examined extends Check {
  /** Whether it is not ok because an answer did not come in time. */
  isLate: boolean
}

/** What is wrong, and what to do. Its cause, if there is one, says whether something was late. */
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
): Promise<Examined> {
  try {
    if (msMax < 100) throw new Fault('not checked, as what is above took too long', { cause: late })
    return { name, ok: true, message: await inTime(examine(), msMax), isLate: false }
  } catch (error) {
    const message = error instanceof Fault ? error.message : describeError(error).message
    return { name, ok: false, message, isLate: isLate(error) }
  }
}

const late = Object.assign(new Error('late'), { code: 'ETIMEDOUT' })

/** Of the system, PostgreSQL and undici. */
const lateCode = /^(ETIMEDOUT|EAI_AGAIN|57014|UND_ERR_\w+_TIMEOUT)$/

function isLate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, failure, cause } = error as NodeJS.ErrnoException & { failure?: string; cause?: unknown }
  const isTimeout = `${error.name} ${error.constructor.name}`.includes('TimeoutError')
  return isTimeout || lateCode.test(code ?? '') || failure === 'timeout' || isLate(cause)
}

async function inTime<Result>(work: Promise<Result>, msMax: number): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const message = `did not finish within ${Math.ceil(msMax / 1_000)} s`
  const timer = setTimeout(() => reject(new Fault(message, { cause: late })), msMax)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
