import { expect } from 'chai'
import { connect, connectionOptions } from '#domain/postgres/index.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { queryIn } from '../../server/query-in.ts'

describe('A connection of the service', () => {
  const database = useOpened(createTestDatabase)

  it('makes no commit that a crash could lose, and keeps a choice of the operator that loses none', async () => {
    const level = async () => {
      const client = await connect(connectionOptions(database.url))
      const { rows } = await client.query('show synchronous_commit')
      await client.close()
      return rows[0].synchronous_commit
    }
    const name = new URL(database.url).pathname.slice(1)
    await queryIn(database.url, `alter database ${name} set synchronous_commit = off`)
    expect(await level()).to.equal('on')
    await queryIn(database.url, `alter database ${name} set synchronous_commit = remote_apply`)
    expect(await level()).to.equal('remote_apply')
  })
})
