import type { Command } from 'commander'
import { DomainError } from '#domain/errors.ts'

/** Adds the option `--skip-provider`. */
export function withSkipProvider(command: Command): Command {
  return command.option(
    '--skip-provider',
    'do not delete at the identity provider, whose API may not allow it',
  )
}

/** Runs a deletion. If the provider prevents it, the error names the option that goes without the provider. */
export async function nameSkipProvider<Result>(deletion: () => Promise<Result>): Promise<Result> {
  try {
    return await deletion()
  } catch (error) {
    if (!(error instanceof DomainError) || error.details?.dependency !== 'identity_provider') throw error
    throw new DomainError('INTERNAL_ERROR', {
      details: { dependency: 'identity_provider' },
      message: `${error.message} What it keeps is kept here too. With --skip-provider, it is deleted here only.`,
    })
  }
}
