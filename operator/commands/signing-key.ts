import type { Command } from 'commander'
import type { OperatorScope } from '#domain/scope.ts'
import { rotateSigningKey } from '#domain/signing-key/rotate-signing-key.ts'
import { markCompromised } from '#domain/token/mark-compromised.ts'
import { list, type Output, record } from '../output.ts'
import type { Performers } from '../perform.ts'
import { listSigningKeys } from '../queries/list-signing-keys.ts'

export function addCommands(noun: Command, { perform }: Performers): void {
  noun
    .command('rotate')
    .description(
      'Create a new signing key, which starts signing 60 seconds later; the previous one stays published while its tokens are valid',
    )
    .option(
      '--compromised <kid>',
      'a key whose private part has leaked: stop publishing it and revoke its tokens, immediately',
    )
    .option('--test', 'of the keys that sign for test tenants')
    .action((options: Rotation) => perform(scope => rotate(scope, options)))
  noun
    .command('list')
    .description('List the signing keys, newest first')
    .action(() =>
      perform(async scope =>
        list(await listSigningKeys(scope), 'There are no signing keys yet; the first start creates one.'),
      ),
    )
}

interface Rotation {
  compromised?: string
  test?: boolean
}

async function rotate(scope: OperatorScope, options: Rotation): Promise<Output> {
  const { compromised } = options
  const { kid, signsFrom, retired } = await rotateSigningKey(scope, options)
  const published = `The new key is published now and signs from ${signsFrom.toISOString()}.`
  if (compromised === undefined) return record({ kid, retired }, published)
  await markCompromised(scope, compromised)
  const withdrawn = 'The compromised key is not published any more, and its tokens are revoked.'
  return record({ kid, compromised, retired }, `${withdrawn} ${published}`)
}
