import { z } from 'zod'
import { type ApiKey, keyCreatorKinds } from '#domain/api-key/api-key.entity.ts'
import { overlapHours } from '#domain/api-key/api-key.policy.ts'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { findKeyCreators, type KeyCreator } from '#domain/api-key/find-key-creators.ts'
import { getApiKey } from '#domain/api-key/get-api-key.ts'
import { listApiKeys } from '#domain/api-key/list-api-keys.ts'
import { replaceApiKey } from '#domain/api-key/replace-api-key.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { apiKeyScopes } from '#domain/permissions.ts'
import { boundedList, boundedText, dateTime, pageFields, pageSchema, timestamp } from './fields.ts'
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

/** Whether it is a person, and one who still has access. */
const creator = z.object({
  kind: z.enum(keyCreatorKinds),
  /** Of a member. */
  issuer: z.string().nullable(),
  subject: z.string().nullable(),
  /** The name or e-mail address; null if neither is known, and once they have left. */
  name: z.string().nullable(),
  /** False for an operator, and for a user who has left the tenant or was removed. */
  isMember: z.boolean(),
})

/** Null where who created the key was not recorded. */
const ownedKey = apiKey.extend({ createdBy: creator.nullable() })

/** The only responses that contain a key's value. */
const createdKey = apiKey.extend({ apiKey: z.string() })

const newApiKey = z.strictObject({
  name: boundedText,
  scopes: boundedList(z.enum(apiKeyScopes), apiKeyScopes.length).optional(),
  expiresAt: dateTime.nullish(),
})

export const apiKeysRouter = router({
  /** Newest first. Revoked and expired keys leave the list after 90 days. */
  list: memberProcedure('read')
    .input(z.strictObject({ ...pageFields, state: z.enum(['live', 'ended']).optional() }).prefault({}))
    .output(pageSchema(ownedKey))
    .query(async ({ ctx: { scope }, input }) => {
      const { items, nextCursor } = await listApiKeys(scope, input)
      const creatorOf = await findKeyCreators(scope, items)
      const present = (key: ApiKey) => ({
        ...presentKey(key, scope.now),
        createdBy: presentCreator(creatorOf(key)),
      })
      return { items: items.map(present), nextCursor }
    }),

  get: memberProcedure('read')
    .input(z.strictObject({ apiKeyId: z.uuid() }))
    .output(ownedKey)
    .query(async ({ ctx: { scope }, input }) => {
      const key = await getApiKey(scope, input)
      const creatorOf = await findKeyCreators(scope, [key])
      return { ...presentKey(key, scope.now), createdBy: presentCreator(creatorOf(key)) }
    }),

  create: memberProcedure('keys')
    .input(newApiKey)
    .output(createdKey)
    .mutation(async ({ ctx: { scope }, input }) => {
      const { key, value } = await createApiKey(scope, input)
      return { ...presentKey(key, scope.now), apiKey: value }
    }),

  /** Creates a key like another one, which can be used beside it for some hours more. */
  replace: memberProcedure('keys')
    .input(
      z.strictObject({
        apiKeyId: z.uuid(),
        overlapHours: z.int().min(overlapHours.min).max(overlapHours.max).optional(),
      }),
    )
    .output(createdKey.extend({ previous: apiKey }))
    .mutation(async ({ ctx: { scope }, input }) => {
      const { key, value, previous } = await replaceApiKey(scope, input)
      return { ...presentKey(key, scope.now), apiKey: value, previous: presentKey(previous, scope.now) }
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

function presentCreator(found: KeyCreator | null): z.input<typeof creator> | null {
  return found && { issuer: null, subject: null, name: null, isMember: false, ...found }
}
