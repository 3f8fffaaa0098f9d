import { batchLookups } from '../database/batch-lookups.ts'
import { arrayOf, int, jsonOf, text, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'

const content = jsonOf<Record<string, unknown>>()

const row = { id: uuid, verificationId: uuid, tokenHash: text, createdAt: timestamp, revision: int, content }

const columns = `id, verification_id as "verificationId", token_hash as "tokenHash", created_at as "createdAt", revision,
   content`

export const insertSession = statement({
  name: 'insert-simulated-session',
  text: `insert into simulated_session (id, verification_id, token_hash, created_at, revision, content)
   values (:id, :verificationId, :tokenHash, :createdAt, :revision, :content)`,
  values: row,
  row: {},
})

export const findSessionById = statement({
  name: 'find-simulated-session',
  text: `select ${columns} from simulated_session where id = :id`,
  values: { id: uuid },
  row,
})

export const findSessionsByTokens = statement({
  name: 'find-simulated-sessions-by-token',
  text: `select w.position::int, ${columns} from unnest(:tokenHashes) with ordinality as w (token_hash, position)
     join simulated_session s using (token_hash) where s.token_hash = any (:tokenHashes)`,
  values: { tokenHashes: arrayOf(text) },
  row: { position: int, ...row },
})

/** Anyone can ask for a page: look-ups of one turn of the event loop share a statement. */
export const findSessionByToken = batchLookups((pool, tokenHashes: readonly string[]) =>
  findSessionsByTokens(pool, { tokenHashes: [...tokenHashes] }),
)

// The revision is the one that follows the one that was read.
export const replaceSession = statement({
  name: 'replace-simulated-session',
  text: `update simulated_session set content = :content, revision = :revision
   where id = :id and revision = :revision - 1 returning id`,
  values: { id: uuid, revision: int, content },
  row: { id: uuid },
})
