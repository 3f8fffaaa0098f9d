import type { Command } from 'commander'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { one } from '../answer.ts'
import type { Perform } from '../perform.ts'

export function addTokenCommands(program: Command, perform: Perform): void {
  const noun = program.command('token').description('age tokens')
  noun
    .command('revoke')
    .description('end the token of a verification, at once and for good')
    .requiredOption('--verification <id>', 'id of the verification')
    .action(({ verification }: { verification: string }) =>
      perform(async scope => {
        const revoked = await revokeToken(scope, { verificationId: verification })
        return one({ ...revoked, revokedAt: revoked.revokedAt.toISOString() })
      }),
    )
}
