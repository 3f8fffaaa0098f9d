import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { forTenant } from '#domain/scope.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { eventHeaders } from '#domain/webhook/signature.policy.ts'
import { statusListVectors } from '../../clients/status-list-vectors.ts'
import { headerVectors, onlineAges, optionErrors, webhookVectors } from '../../clients/test-vectors.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import type { Packed } from '../../harness/run/packed-clients.ts'
import { sharedResource } from '../../harness/run/shared-resources.ts'
import { describeWith, findPython, outcomeOf, runProgram } from '../../harness/system-program.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import { useService, useTenant } from '../../harness/use-service.ts'

const modules = ['httpx', 'jwt', 'cryptography', 'ensurepip', 'pip', 'pytest']
const python = findPython(...modules)
const requirement = { isMissing: !python, reason: `no python3 with ${modules.join(', ')}` }

describeWith([requirement], 'The Python client', () => {
  const service = useService()
  const tenant = useTenant(service)
  const folder = temporaryFolder()
  const inFolder = (name: string) => join(folder.path, name)

  before('install its wheel where nothing else is installed', async () => {
    const { wheel } = await sharedResource<Packed>('clients')
    const env = { PATH: process.env.PATH, PIP_NO_INDEX: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' }
    await runProgram(python!, ['-m', 'venv', '--system-site-packages', inFolder('venv')], { env })
    await runProgram(inFolder('venv/bin/python'), ['-m', 'pip', 'install', `${wheel}[offline]`], { env })
  })

  it('does what its tests in Python say, beside a running service', async () => {
    const env = { PATH: process.env.PATH, TMPDIR: folder.path, PREPARED: inFolder('prepared.json') }
    await writeFile(env.PREPARED, JSON.stringify(await prepare()))
    const options = ['-q', '-p', 'no:cacheprovider', '-o', 'empty_parameter_set_mark=fail_at_collect']
    const args = ['-B', '-m', 'pytest', ...options, 'test/system/clients/python']
    const { code, stdout, stderr } = await outcomeOf(inFolder('venv/bin/python'), args, { env })
    expect(code, stdout + stderr).to.equal(0)
  })

  /** What the tests can't know from files. */
  async function prepare() {
    const client = tenantClient(service, tenant)
    const ids = [await client.decided('approve-minor'), await client.decided('approve-adult')]
    const revoked = await client.decided('approve-adult')
    await revokeToken(forTenant(service.operator(), tenant.tenantId), { verificationId: revoked })
    const statuses = await Promise.all([...ids, revoked].map(client.status))
    const { bodyText, secrets } = webhookVectors[0]!
    return {
      ...tenant,
      serviceUrl: service.baseUrl,
      veriffUrl: service.veriffUrl,
      completed: statuses.map(({ body }) => body),
      eventHeaders: eventHeaders('verification.completed', bodyText!, secrets[0]!),
      headers: headerVectors,
      ages: onlineAges(),
      statusLists: await statusListVectors(),
      optionErrors: Object.entries(optionErrors).map(([reason, { source }]) => [reason, source]),
    }
  }
})
