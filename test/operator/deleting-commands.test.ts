import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../development/temporary-folder.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'
import { environmentOf, operate, operatorOn } from './operate.ts'

describe('the operator’s deleting commands', () => {
  const service = useService()
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)
  const folder = temporaryFolder()
  afterEach(() => providerMode('ok'))

  const providerMode = (deleteSession: string) =>
    call(`${service.veriffUrl}/control/mode`, { method: 'PUT', json: { deleteSession } })
  const operator = operatorOn(() => environmentOf(service))
  const { json } = operator
  const error = async (...args: string[]) => (await operator.error(...args)).message
  const sessionAtProvider = async (verificationId: string) =>
    (await call(`${service.veriffUrl}/control/sessions/${verificationId}`)).status

  it('erase a verification at the provider and here, when its id is confirmed', async () => {
    const verificationId = await client.decided('approve-adult')
    const { token } = (await client.status(verificationId)).body
    const erase = ['verification', 'erase', '--verification', verificationId]
    expect(await json(...erase)).to.include({ verificationId, tenantId: tenant.tenantId, erased: false })
    expect(await error(...erase, '--confirm', tenant.tenantId)).to.equal(
      '--confirm must be the id of the verification.',
    )
    expect((await client.status(verificationId)).status).to.equal(200)
    expect(await json(...erase, '--confirm', verificationId)).to.deep.equal({ verificationId, erased: true })
    expect(await sessionAtProvider(verificationId)).to.equal(404)
    const { status, body } = await client.status(verificationId)
    expect([status, body.error]).to.deep.equal([404, 'VERIFICATION_NOT_FOUND'])
    expect((await client.validate(token)).body).to.include({ valid: false, reason: 'TOKEN_NOT_FOUND' })
    const [event] = await json('audit', 'list', '--tenant', tenant.tenantId, '--limit', '1')
    expect(event).to.deep.include({
      action: 'verification.erase',
      target: verificationId,
      changes: { provider: 'deleted' },
    })
    expect(await error(...erase, '--confirm', verificationId)).to.match(/No verification matches/)
  })

  it('say what to do where the provider keeps the session, and erase here only if they are told to', async () => {
    const verificationId = await client.decided('decline')
    const erase = ['verification', 'erase', '--verification', verificationId, '--confirm', verificationId]
    for (const [mode, message] of [
      ['disabled', /not enabled for the integration\. Ask the provider/],
      ['error-429', /Repeat this in an hour/],
      ['error-500', /not available: Veriff returned 500/],
    ] as const) {
      await providerMode(mode)
      expect(await error(...erase))
        .to.match(message)
        .and.to.include('With --skip-provider')
    }
    const withoutProvider = await operate({ DATABASE_URL: service.databaseUrl }, ...erase)
    expect(withoutProvider.err).to.match(/VERIFF_BASE_URL is required/)
    expect((await client.status(verificationId)).status).to.equal(200)
    expect(await json(...erase, '--skip-provider')).to.deep.equal({ verificationId, erased: true })
    expect(await sessionAtProvider(verificationId)).to.equal(200)
    expect((await client.status(verificationId)).status).to.equal(404)
  })

  it('delete a tenant when its name is confirmed, whose keys stop at once and whose usage counts stay', async () => {
    const verificationId = await client.decided('approve-adult')
    const { tenantId } = tenant
    const remove = ['tenant', 'delete', '--tenant', tenantId]
    expect(await json(...remove)).to.deep.include({
      tenantId,
      name: 'Test tenant',
      verifications: 1,
      deleted: false,
    })
    expect((await operator.text(...remove)).out).to.include("add --confirm 'Test tenant'")
    expect(await error(...remove, '--confirm', 'test tenant')).to.equal('The tenant has another name.')
    expect((await client.status(verificationId)).status).to.equal(200)
    await providerMode('error-429')
    expect(await error(...remove, '--confirm', 'Test tenant')).to.match(/in an hour/)
    expect((await client.status(verificationId)).status).to.equal(401)
    await providerMode('ok')
    expect(await json(...remove, '--confirm', 'Test tenant')).to.deep.equal({ tenantId, deleted: true })
    expect(await sessionAtProvider(verificationId)).to.equal(404)
    expect((await client.status(verificationId)).body.error).to.equal('UNAUTHENTICATED_TENANT')
    expect(await error('tenant', 'show', '--tenant', tenantId)).to.match(/No tenant has the id/)
    const [event] = await json('audit', 'list', '--limit', '1')
    const changes = { provider: 'deleted' }
    expect(event).to.deep.include({ action: 'tenant.delete', target: tenantId, changes })
  })

  it('write the sessions that the provider keeps to a file, of a tenant that is deleted here only', async () => {
    const file = join(folder.path, 'sessions')
    const ids = [await client.decided('approve-adult'), await client.decided('decline')]
    const shown = await Promise.all(ids.map(id => json('verification', 'show', '--verification', id)))
    const sessions = shown.map(({ providerSessionId }) => providerSessionId)
    const confirmed = ['--tenant', tenant.tenantId, '--confirm', 'Test tenant', '--skip-provider']
    const remove = (path: string) => ['tenant', 'delete', ...confirmed, '--sessions', path]
    const unwritable = remove(join(folder.path, 'missing', 'file'))
    expect(await error(...unwritable)).to.match(/--sessions cannot be used/)
    expect((await client.status(ids[0]!)).status).to.equal(200)
    await json(...remove(file))
    expect((await readFile(file, 'utf8')).trimEnd().split('\n')).to.have.members(sessions)
    for (const id of ids) expect(await sessionAtProvider(id)).to.equal(200)
  })
})
