import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { decodeJwt } from 'jose'
import { deleteQueuedSession } from '#domain/deletion/delete-queued-session.ts'
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

  it('erase a verification here and then at the provider, with a receipt, when its id is confirmed', async () => {
    const verificationId = await client.decided('approve-adult')
    const { token } = (await client.status(verificationId)).body
    const erase = ['verification', 'erase', '--verification', verificationId]
    expect(await json(...erase)).to.include({ verificationId, tenantId: tenant.tenantId, erased: false })
    expect(await error(...erase, '--confirm', tenant.tenantId)).to.equal(
      '--confirm must be the id of the verification.',
    )
    expect((await client.status(verificationId)).status).to.equal(200)
    const erased = await json(...erase, '--confirm', verificationId)
    expect(erased).to.include({ verificationId, erasedBy: 'operator' })
    expect(decodeJwt(erased.receipt)).to.deep.include({ aud: tenant.tenantId, session: erased.session })
    const { status, body } = await client.status(verificationId)
    expect([status, body.error]).to.deep.equal([404, 'VERIFICATION_NOT_FOUND'])
    expect((await client.validate(token)).body).to.include({ valid: false, reason: 'TOKEN_NOT_FOUND' })
    const receipt = ['verification', 'receipt', '--verification', verificationId]
    await deleteQueuedSession(service.services.scopeFor({ kind: 'service' }))
    expect(await json(...receipt)).to.have.nested.property('session.state', 'deleted')
    expect(await sessionAtProvider(verificationId)).to.equal(404)
    expect((await operator.text(...receipt)).out).to.match(/Session +deleted since \d{4}-/)
    const events = await json('audit', 'list', '--tenant', tenant.tenantId, '--limit', '2')
    expect(events).to.have.nested.property('[0].action', 'verification.delete_session')
    expect(events[1]).to.deep.include({ action: 'verification.erase', target: verificationId })
    expect(events).to.have.nested.property('[1].changes.session', 'queued')
  })

  it('leave the session where the provider does not delete any, which the doctor says, or where it is not asked', async () => {
    await providerMode('disabled')
    const [kept, skipped] = [await client.decided('decline'), await client.decided('decline')]
    const erase = (id: string) => ['verification', 'erase', '--verification', id, '--confirm', id]
    await json(...erase(kept))
    await deleteQueuedSession(service.services.scopeFor({ kind: 'service' }))
    const { session } = await json('verification', 'receipt', '--verification', kept)
    expect(session).to.include({ state: 'not_enabled' })
    const doctor = async () => (await operate(environmentOf(service), 'doctor', '--json')).out
    expect(await doctor()).to.match(/of erased verifications wait .* have it enable the deletion/)
    expect(await sessionAtProvider(kept)).to.equal(200)
    expect(await json(...erase(skipped), '--skip-provider')).to.nested.include({
      'session.state': 'not_asked',
    })
    expect(await sessionAtProvider(skipped)).to.equal(200)
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
    expect(await json(...remove, '--confirm', 'Test tenant')).to.deep.equal({ tenantId, deleted: true })
    expect((await client.status(verificationId)).body.error).to.equal('UNAUTHENTICATED_TENANT')
    expect(await error('tenant', 'show', '--tenant', tenantId)).to.match(/No tenant has the id/)
    const [event] = await json('audit', 'list', '--limit', '1')
    const changes = { sessions: 'queued' }
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
