import { defineEntity, p } from '@mikro-orm/core'

const SessionDeletionSchema = defineEntity({
  name: 'SessionDeletion',
  tableName: 'session_deletion',
  indexes: [{ name: 'session_deletion_due_at', properties: ['dueAt'] }],
  properties: {
    providerSessionId: p.string().length(200).primary(),
    /** When the verification was started, which is deleted here already. */
    startedAt: p.datetime(3),
    dueAt: p.datetime(3),
  },
})

/** A session that the provider is to delete, as soon as it allows that. */
export class SessionDeletion extends SessionDeletionSchema.class {}
SessionDeletionSchema.setClass(SessionDeletion)
