import type { Command } from 'commander'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { one } from '../answer.ts'
import type { Perform } from '../perform.ts'

export function addSigningKeyCommands(program: Command, perform: Perform): void {
  const noun = program.command('signing-key').description('the keys that sign age tokens')
  noun
    .command('rotate')
    .description('sign with a new key; the old one stays published while its tokens are valid')
    .action(() => perform(async scope => one({ ...(await rotateSigningKey(scope)) })))
}
