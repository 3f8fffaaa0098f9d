import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { evidenceVectors } from '../../clients/test-vectors.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { eventually } from '../../harness/eventually.ts'
import type { Packed } from '../../harness/run/packed-clients.ts'
import { sharedResource } from '../../harness/run/shared-resources.ts'
import { describeWith, runProgram } from '../../harness/system-program.ts'
import { call, control, tenantClient } from '../../harness/tenant-client.ts'
import { useService, useTenant } from '../../harness/use-service.ts'
import { runSample } from '../samples/run-sample.ts'
import { clientModules, clientVersion, findPython } from './python-program.ts'

const modules = [...clientModules, 'pip', 'ensurepip']
const python = findPython(...modules)

describeWith(
  [{ isMissing: !python, reason: `no python3 with ${modules.join(', ')}` }],
  'The wheel of the Python client',
  () => {
    const service = useService()
    const tenant = useTenant(service)
    const folder = temporaryFolder()
    const environment = () => ({ SERVICE_URL: service.baseUrl, API_KEY: tenant.apiKey, PYTHONPATH: '' })
    const sample = (name: string) => resolve('docs/samples/python', name)
    /** The program of an environment with the wheel; what it needs is Debian's. */
    let installed: string

    let packed: Packed

    before('install it where nothing else is installed', async () => {
      packed = await sharedResource<Packed>('clients')
      const env = { PATH: process.env.PATH, PIP_NO_INDEX: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' }
      const venv = join(folder.path, 'venv')
      await runProgram(python!, ['-m', 'venv', '--system-site-packages', venv], { env })
      installed = join(venv, 'bin/python')
      await runProgram(installed, ['-m', 'pip', 'install', `${packed.wheel}[offline]`], { env })
    })

    it('has its types, its version and its requirements', async () => {
      const code = `import age_verification as a, importlib.metadata as m, importlib.resources as r, json
print(json.dumps([a.__file__, r.files(a).joinpath("py.typed").is_file(), a.__version__, *m.requires("age-verification")]))`
      const { stdout } = await runProgram(installed, ['-c', code], { cwd: folder.path })
      const [file, ...facts] = JSON.parse(stdout)
      expect(file).to.match(new RegExp(`^${folder.path}/venv/`))
      const [isTyped, version, ...requirements] = facts
      expect([isTyped, version]).to.deep.equal([true, clientVersion])
      expect(requirements.map((each: string) => each.replace(/[() ]/g, ''))).to.deep.equal([
        'httpx>=0.23',
        'pyjwt[crypto]>=2.6;extra=="offline"',
      ])
    })

    it('runs the samples of the README', async () => {
      const client = tenantClient(service, tenant)
      const verifying = runSample([installed, sample('verify_age.py')], environment())
      await eventually(() => /https?:\S+/.test(verifying.output()))
      const { sessions } = (await call(`${service.veriffUrl}/control/sessions`)).body
      await control(service, sessions.at(-1).vendorData, 'decide', { outcome: 'approve-adult' })
      expect(await verifying.ended, verifying.output()).to.equal(0)
      expect(verifying.output()).to.contain('Welcome\nWelcome back\n')
      const { body } = await client.status(await client.decided('approve-adult'))
      for (const [token, expected] of [
        [body.token, 'admit\n'],
        ['no token', 'refuse: TOKEN_MALFORMED\n'],
      ]) {
        const env = { ...environment(), TOKEN: token, TENANT_ID: tenant.tenantId }
        const verified = runSample([installed, sample('offline.py')], env)
        expect(await verified.ended, verified.output()).to.equal(0)
        expect(verified.output()).to.equal(expected)
      }
      const { jws, jwks, issuer, audience } = evidenceVectors[0]!
      await writeFile(join(folder.path, 'evidence.json'), JSON.stringify({ jws }))
      await writeFile(join(folder.path, 'jwks.json'), JSON.stringify(jwks))
      const env = { ...environment(), SERVICE_URL: issuer, TENANT_ID: audience }
      const evidence = runSample([installed, sample('evidence.py')], env, folder.path)
      expect(await evidence.ended, evidence.output()).to.equal(0)
      expect(evidence.output()).to.equal('2026-11: 80 approved\n')
    })
  },
)
