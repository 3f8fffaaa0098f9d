import { z } from 'zod'
import type { ApiKey } from '#domain/api-key/api-key.entity.ts'
import { apiKeyScopes } from '#domain/api-key/api-key.policy.ts'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { listApiKeys } from '#domain/api-key/list-api-keys.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { boundedList, boundedText, dateTime, pageFields, pageOf, timestamp } from './fields.ts'
import { memberProcedure, router } from './trpc.ts'

/** A key without its value: only the first characters are stored. */
const apiKey = z.object({
  apiKeyId: z.string(),
  name: z.string(),
  displayStart: z.string(),
  scopes: z.array(z.enum(apiKeyScopes)),
  state: z.enum(['active', 'expired', 'revoked']),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  expiresAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
})

const newApiKey = z.strictObject({
  name: boundedText,
  scopes: boundedList(z.enum(apiKeyScopes), apiKeyScopes.length).optional(),
  expiresAt: dateTime.nullish(),
})

export const apiKeysRouter = router({
  /** Newest first. Revoked and expired keys leave the list after 90 days. */
  list: memberProcedure('read')
    .input(z.strictObject(pageFields).prefault({}))
    .output(pageOf(apiKey))
    .query(async ({ ctx: { scope }, input }) => {
      const { items, nextCursor } = await listApiKeys(scope, input)
      return { items: items.map(key => presentKey(key, scope.now)), nextCursor }
    }),

  /** The only response that contains the key's value. */
  create: memberProcedure('keys')
    .input(newApiKey)
    .output(apiKey.extend({ apiKey: z.string() }))
    .mutation(async ({ ctx: { scope }, input }) => {
      const { key, value } = await createApiKey(scope, input)
      return { ...presentKey(key, scope.now), apiKey: value }
    }),

  revoke: memberProcedure('keys')
    .input(z.strictObject({ apiKeyId: z.uuid() }))
    .output(apiKey)
    .mutation(async ({ ctx: { scope }, input }) => presentKey(await revokeApiKey(scope, input), scope.now)),
})

function presentKey(key: ApiKey, now: Date): z.input<typeof apiKey> {
  const { id, name, displayStart, scopes, createdAt } = key
  const { lastUsedAt = null, expiresAt = null, revokedAt = null } = key
  const state = revokedAt ? 'revoked' : key.isLive(now) ? 'active' : 'expired'
  const times = { createdAt, lastUsedAt, expiresAt, revokedAt }
  return { apiKeyId: id, name, displayStart, scopes, state, ...times }
}
