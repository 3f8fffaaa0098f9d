import type { Command } from 'commander'
import { z } from 'zod'
import { readParameter } from '#domain/parameters.ts'

/** Adds the required option `--tenant`. */
export function withTenant(command: Command): Command {
  return command.requiredOption('--tenant <id>', 'id of the tenant')
}

/** A time with its offset, such as `2027-01-31T00:00:00Z`, or a date, which means midnight UTC. */
export function readDate(option: string, text: string): Date {
  const message = `--${option} must be a time such as 2027-01-31T00:00:00Z.`
  const dateTime = z.union([z.iso.datetime({ offset: true }), z.iso.date()], message)
  return new Date(readParameter(option, dateTime, text))
}

export function readWholeNumber(option: string, text: string): number {
  const digits = z.string().regex(/^\d{1,15}$/, `--${option} must be a whole number.`)
  return Number(readParameter(option, digits, text))
}
