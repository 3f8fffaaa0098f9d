import type { Command } from 'commander'
import { forTenant, type OperatorScope } from '#domain/scope.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { findVerification } from '#domain/verification/find-verification.ts'
import { type Output, record } from '../output.ts'
import type { Performers } from '../perform.ts'

export function addCommands(noun: Command, { perform }: Performers): void {
  noun
    .command('revoke')
    .description('Revoke the token of a verification, immediately and permanently')
    .requiredOption('--verification <id>', 'id of the verification')
    .action(({ verification }: { verification: string }) => perform(scope => revoke(scope, verification)))
}

async function revoke(scope: OperatorScope, verificationId: string): Promise<Output> {
  const { tenantId } = await findVerification(scope, verificationId)
  return record(await revokeToken(forTenant(scope, tenantId), { verificationId }))
}
