import type { StatementPool } from '#domain/database/statement.ts'
import * as rows from '#domain/simulated-session/simulated-sessions.ts'
import type { Session } from './session.ts'
import type { SessionStore } from './sessions.ts'

/** The sessions in the service's database, which all processes share. */
export function createDatabaseStore(pool: StatementPool): SessionStore {
  return {
    async insert(session) {
      await rows.insertSession(pool, toRow(session))
    },
    byId: async id => toSession((await rows.findSessionById(pool, { id }))[0]),
    byTokenHash: async tokenHash => toSession(await rows.findSessionByToken(pool, tokenHash)),
    async replace(session) {
      const { id, revision, content } = toRow(session)
      return (await rows.replaceSession(pool, { id, revision, content })).length === 1
    },
    async delete(id) {
      await rows.deleteSession(pool, { id })
    },
  }
}

type Row = Parameters<typeof rows.insertSession>[1]

/** The service names the verification in `vendorData`. */
function toRow({ id, tokenHash, createdAt, revision, vendorData, ...content }: Session): Row {
  return { id, tokenHash, revision, verificationId: vendorData!, createdAt: new Date(createdAt), content }
}

function toSession(row: Row | undefined): Session | undefined {
  if (!row) return undefined
  const { content, verificationId: vendorData, createdAt, ...columns } = row
  return { ...content, ...columns, vendorData, createdAt: createdAt.toISOString() } as Session
}
