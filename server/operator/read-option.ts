import { z } from 'zod'
import { readParameter } from '#domain/parameters.ts'

/** A time with its zone, such as `2027-01-31T00:00:00Z`, or a day, which begins in UTC. */
export function readDate(option: string, text: string): Date {
  const message = `--${option} must be a time such as 2027-01-31T00:00:00Z.`
  const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()], message)
  return new Date(readParameter(option, moment, text))
}

export function readWholeNumber(option: string, text: string): number {
  const digits = z.string().regex(/^\d{1,15}$/, `--${option} must be a whole number.`)
  return Number(readParameter(option, digits, text))
}
