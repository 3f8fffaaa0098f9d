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

/** Longer than the deadline of each request that a check makes. */
const deadlineMs = 30_000

/** Runs one check, whose result is what `examine` returns. It is not ok if that throws or takes longer than 30 s. */
export async function check(name: string, examine: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, message: await inTime(examine()) }
  } catch (error) {
    return { name, ok: false, message: error instanceof Fault ? error.message : describeError(error).message }
  }
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Fault(`did not finish within ${deadlineMs / 1000} s`)),
    deadlineMs,
  )
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
