import { defineEntity, p } from '@mikro-orm/core'

const SimulatedSessionSchema = defineEntity({
  name: 'SimulatedSession',
  tableName: 'simulated_session',
  indexes: [
    { name: 'simulated_session_verification', properties: ['verificationId'] },
    { name: 'simulated_session_created_at', properties: ['createdAt'] },
  ],
  properties: {
    id: p.uuid().primary(),
    verificationId: p.uuid(),
    /** SHA-256 of the token that opens its hosted page, hex. The token itself is not stored. */
    tokenHash: p.string().length(64).unique(),
    createdAt: p.datetime(3),
    /** Incremented by every change. A change is written only over the revision that it was decided on. */
    revision: p.integer().default(0),
    /** What the test provider knows of it: attempts and decision. */
    content: p.json(),
  },
})

/** The session of a test verification at the test provider, which is a part of the service. */
export class SimulatedSession extends SimulatedSessionSchema.class {}
SimulatedSessionSchema.setClass(SimulatedSession)
