import { defineEntity, p } from '@mikro-orm/core'
import type { DeletionRejection } from '../ports.ts'

/** What the provider has answered for a session. */
export type SessionAnswer = 'deleted' | 'unknown'

/** Why the provider has kept a session. */
export type SessionRejection = DeletionRejection | 'unavailable'

const SessionDeletionSchema = defineEntity({
  name: 'SessionDeletion',
  tableName: 'session_deletion',
  properties: {
    verificationId: p.uuid().primary(),
    /** Not a foreign key: it outlasts the tenant. */
    tenantId: p.uuid(),
    /** Null once the provider has answered; the row then counts for a day. */
    providerSessionId: p.string().length(200).nullable(),
    queuedAt: p.datetime(3),
    /** When the provider may be asked; while a worker asks it, when the worker's lease expires. */
    dueAt: p.datetime(3),
    /** When the provider was asked last. */
    askedAt: p.datetime(3).nullable(),
    /** Why it kept the session then: a `SessionRejection`. Null if it didn't, or if no answer was recorded. */
    rejection: p.string().length(32).nullable(),
  },
})

/** A session at the identity provider whose verification was erased here, until the provider has answered for it. */
export class SessionDeletion extends SessionDeletionSchema.class {}
SessionDeletionSchema.setClass(SessionDeletion)
