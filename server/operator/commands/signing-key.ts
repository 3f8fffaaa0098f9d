import type { Command } from 'commander'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { record } from '../output.ts'
import type { Perform } from '../perform.ts'

export function addSigningKeyCommands(program: Command, perform: Perform): void {
  const noun = program.command('signing-key').description('Keys that sign age tokens')
  noun
    .command('rotate')
    .description('Create a new signing key; the previous one stays published while its tokens are valid')
    .action(() => perform(async scope => record({ ...(await rotateSigningKey(scope)) })))
}
