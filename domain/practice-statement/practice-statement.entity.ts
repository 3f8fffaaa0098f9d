import { defineEntity, p } from '@mikro-orm/core'

const PracticeStatementSchema = defineEntity({
  name: 'PracticeStatement',
  tableName: 'practice_statement',
  properties: {
    /** 1, 2, 3, … without a gap. */
    version: p.integer().primary().autoincrement(false),
    /** From then on it is in force, until the next one is. Never before that of the previous version. */
    publishedAt: p.datetime(3),
    /** SHA-256 of `statement` in hexadecimal digits. */
    sha256: p.string().length(64),
    /** JSON, as text: the bytes that are hashed. */
    statement: p.text(),
  },
})

/** What the service says of its own practice. Versions stay for ever. */
export class PracticeStatement extends PracticeStatementSchema.class {}
PracticeStatementSchema.setClass(PracticeStatement)
