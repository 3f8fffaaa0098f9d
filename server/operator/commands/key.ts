import type { Command } from 'commander'
import type { ApiKey } from '#domain/api-key/api-key.entity.ts'
import { type ApiKeyScope, apiKeyScopes } from '#domain/api-key/api-key.policy.ts'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { listApiKeys } from '#domain/api-key/list-api-keys.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import type { Scope } from '#domain/scope.ts'
import { type Answer, many, one } from '../answer.ts'
import type { Perform } from '../perform.ts'
import { readDate } from '../read-option.ts'
import { byTenant } from './by-tenant.ts'

interface NewKey {
  tenant: string
  name: string
  scopes?: string
  expires?: string
}

export function addKeyCommands(program: Command, perform: Perform): void {
  const noun = program.command('key').description('API keys')
  byTenant(noun.command('create'))
    .description('make a key; its value is shown this one time')
    .option('--name <name>', 'what it is for', 'Made by the operator')
    .option('--scopes <scopes>', `of ${apiKeyScopes.join(', ')}; all where none are named`)
    .option('--expires <time>', 'when it ends, ISO 8601; never where it is not named')
    .addHelpText(
      'after',
      '\nExample:\n  operator key create --tenant ID --scopes tokens:validate --expires 2027-01-31T00:00:00Z',
    )
    .action((options: NewKey) => perform(scope => create(scope, options)))
  byTenant(noun.command('list'))
    .description('the keys of a tenant, without their values')
    .action(({ tenant }: { tenant: string }) =>
      perform(async scope => {
        const keys = await listApiKeys(scope, { tenantId: tenant })
        return many(keys.map(present), 'There are no keys yet.')
      }),
    )
  noun
    .command('revoke')
    .description('end a key, at once and for good')
    .requiredOption('--key <id>', 'id of the key (its apiKeyId, not its value)')
    .action(({ key }: { key: string }) =>
      perform(async scope => one(present(await revokeApiKey(scope, { apiKeyId: key })))),
    )
}

async function create(scope: Scope, options: NewKey): Promise<Answer> {
  const { key, value } = await createApiKey(scope, {
    tenantId: options.tenant,
    name: options.name,
    // Whether they are scopes is the domain's to say.
    scopes: options.scopes?.split(',').map(text => text.trim() as ApiKeyScope),
    expiresAt: options.expires === undefined ? null : readDate('expires', options.expires),
  })
  const expiresAt = key.expiresAt?.toISOString() ?? null
  const fields = { apiKeyId: key.id, apiKey: value, scopes: key.scopes, expiresAt }
  return one(fields, 'Keep the key now: it is not shown again.')
}

function present(key: ApiKey) {
  return {
    apiKeyId: key.id,
    name: key.name,
    displayStart: key.displayStart,
    scopes: key.scopes,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  }
}
