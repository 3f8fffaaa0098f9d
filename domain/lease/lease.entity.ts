import { defineEntity, p } from '@mikro-orm/core'

const LeaseSchema = defineEntity({
  name: 'Lease',
  tableName: 'lease',
  properties: {
    /** What its owner alone does, such as a background task; or one that fails, see `worker-lease.policy.ts`. */
    name: p.string().length(64).primary(),
    /** A random id of the worker. */
    owner: p.uuid(),
    expiresAt: p.datetime(3),
  },
})

/** Which worker does what only one worker should do at a time. It saves work; nothing depends on it being exclusive. */
export class Lease extends LeaseSchema.class {}
LeaseSchema.setClass(Lease)
