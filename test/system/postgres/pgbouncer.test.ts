import { expect } from 'chai'
import { applyMigrations } from '#domain/schema/apply-migrations.ts'
import { createForeignDatabase } from '../../harness/database.ts'
import { pgbouncer, startPgbouncer } from '../../harness/engines/pgbouncer.ts'
import { describeWith } from '../../harness/system-program.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import { createTestTenant, startTestService } from '../../harness/test-service.ts'
import { useOpened } from '../../harness/use-opened.ts'

describeWith([pgbouncer], 'PgBouncer in session mode', () => {
  const database = useOpened(() => createForeignDatabase('UTF8'))
  const pooler = useOpened(() => startPgbouncer(database.url))

  it('lets the service migrate and serve, with the settings of its own connections', async () => {
    await using closing = new AsyncDisposableStack()
    expect(await applyMigrations({ url: pooler.url })).not.to.deep.equal([])
    const service = await startTestService({ databaseUrl: pooler.url })
    closing.defer(service.close)
    const client = tenantClient(service, await createTestTenant(service))
    const { body } = await client.status(await client.decided('approve-adult'))
    expect(body).to.include({ status: 'approved', over18: true })
    const { rows } = await service.services.database.pool.query('show statement_timeout')
    expect(rows).to.deep.equal([{ statement_timeout: '30s' }])
  })
})
