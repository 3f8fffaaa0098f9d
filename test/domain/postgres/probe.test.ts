import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { connectionOptions, createProbe } from '#domain/postgres/index.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { queryIn } from '../../server/query-in.ts'
import { failureOf } from '../administration/rejected.ts'

/** Not a superuser, who has no limit on connections. */
async function createDatabaseWithRole() {
  const { url, close } = await createTestDatabase()
  const role = `probe_${randomUUID().slice(0, 8)}`
  await queryIn(url, `create role ${role} login password '${role}'`)
  const asRole = Object.assign(new URL(url), { username: role, password: role }).href
  const alter = (attributes: string) => queryIn(url, `alter role ${role} ${attributes}`)
  return { asRole, alter, close: () => queryIn(url, `drop role ${role}`).then(close) }
}

describe('The probe of readiness', () => {
  const database = useOpened(createDatabaseWithRole)

  it('fails while new connections are refused, and not because there are too many', async () => {
    const options = connectionOptions(database.asRole)
    const { probe, close } = createProbe(options, 0, 60_000)
    try {
      const repeat = async () => {
        for (let round = 0; round < 50; round++) await probe()
      }
      await repeat()
      await database.alter('connection limit 1')
      await repeat()
      await database.alter('nologin')
      const refused = await eventually(() => failureOf(probe()))
      expect(refused).to.have.property('code', '28000')
      await database.alter('login connection limit -1')
      await eventually(probe)
    } finally {
      await close()
    }
    await eventually(() => options.openClients.size === 0)
  })
})
