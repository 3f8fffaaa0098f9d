import type { Command } from 'commander'
import type { ApiKey } from '#domain/api-key/api-key.entity.ts'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { findApiKeyTenant } from '#domain/api-key/get-api-key.ts'
import { listApiKeys } from '#domain/api-key/list-api-keys.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { allPages } from '#domain/page.ts'
import { type ApiKeyScope, apiKeyScopes } from '#domain/permissions.ts'
import { forTenant, type OperatorScope, type TenantOperatorScope } from '#domain/scope.ts'
import { onTenant, readDate, withTenant } from '../options.ts'
import { list, type Output, record } from '../output.ts'
import type { Performers } from '../perform.ts'
import { findApiKeys } from '../queries/find-api-keys.ts'

interface NewKey {
  name: string
  scopes?: string
  expires?: string
}

export function addCommands(noun: Command, { perform }: Performers): void {
  withTenant(noun.command('create'))
    .description('Create a key; its value is shown only once')
    .option('--name <name>', 'purpose of the key', 'Created by the operator')
    .option('--scopes <scopes>', `comma-separated list of ${apiKeyScopes.join(', ')}; default: all`)
    .option('--expires <time>', 'expiry, ISO 8601; default: never')
    .addHelpText(
      'after',
      '\nExample:\n  operator key create --tenant ID --scopes tokens:validate --expires 2027-01-31T00:00:00Z',
    )
    .action(onTenant(perform, create))
  withTenant(noun.command('list'))
    .description("List a tenant's keys without their values; ended ones for 90 days")
    .action(onTenant(perform, listAll))
  noun
    .command('find')
    .description('Find the keys of all tenants that begin with a text, such as a key that has leaked')
    .requiredOption('--prefix <text>', 'the beginning of the key; its first 12 characters are compared')
    .action((options: { prefix: string }) =>
      perform(async scope => {
        const keys = await findApiKeys(scope, options)
        const rows = keys.map(key => ({ tenantId: key.tenantId, ...present(key) }))
        return list(rows, 'No stored key begins with this.')
      }),
    )
  noun
    .command('revoke')
    .description('Revoke a key, immediately and permanently')
    .requiredOption('--key <id>', 'id of the key (apiKeyId, not the value)')
    .action(({ key }: { key: string }) => perform(scope => revoke(scope, key)))
}

async function create(scope: TenantOperatorScope, options: NewKey): Promise<Output> {
  const { key, value } = await createApiKey(scope, {
    name: options.name,
    // Validated by the verb.
    scopes: options.scopes?.split(',').map(text => text.trim() as ApiKeyScope),
    expiresAt: options.expires === undefined ? null : readDate('expires', options.expires),
  })
  const fields = { apiKeyId: key.id, apiKey: value, scopes: key.scopes, expiresAt: key.expiresAt }
  return record(fields, 'Store the key now: it is not shown again.')
}

async function listAll(scope: TenantOperatorScope): Promise<Output> {
  const keys = await allPages(request => listApiKeys(scope, request))
  return list(keys.map(present), 'There are no keys yet.')
}

async function revoke(scope: OperatorScope, apiKeyId: string): Promise<Output> {
  const tenantId = await findApiKeyTenant(scope, apiKeyId)
  return record(present(await revokeApiKey(forTenant(scope, tenantId), { apiKeyId })))
}

function present({ id: apiKeyId, name, displayStart, scopes, ...times }: ApiKey) {
  const { createdAt, expiresAt, lastUsedAt, revokedAt } = times
  return { apiKeyId, name, displayStart, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }
}
