import { cp, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { expect } from 'chai'
import { evidenceVectors } from '../../clients/test-vectors.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { eventually } from '../../harness/eventually.ts'
import type { Packed } from '../../harness/run/packed-clients.ts'
import { sharedResource } from '../../harness/run/shared-resources.ts'
import { describeWith, findProgram, outcomeOf, runProgram } from '../../harness/system-program.ts'
import { call, control, tenantClient } from '../../harness/tenant-client.ts'
import { useService, useTenant } from '../../harness/use-service.ts'
import { runSample } from '../samples/run-sample.ts'
import { clientModules, clientVersion, findPython, pythonRequirement } from './python-program.ts'

/** setuptools has to be imported before pip. */
const modules = [...clientModules, 'setuptools', 'wheel', 'pip', 'ensurepip']
const python = findPython(...modules)
const mypy = findProgram('mypy')

describeWith(
  [pythonRequirement, { isMissing: !mypy, reason: 'no mypy' }],
  'The types of the Python client',
  () => {
    const folder = temporaryFolder()
    const check = async (...args: string[]) => {
      const strict = ['--strict', '--python-version', '3.9', '--cache-dir', folder.path]
      const env = { PATH: process.env.PATH, MYPYPATH: 'clients/python' }
      return await outcomeOf(mypy!, [...strict, ...args], { env })
    }

    it('are sound under mypy --strict, as those of the samples', async () => {
      for (const files of [['clients/python/age_verification'], ['docs/samples/python/verify_age.py']]) {
        expect((await check(...files)).stdout).to.match(/^Success: no issues found/)
      }
    })

    it('are those of results, awaited or not, and refuse arguments that there are none', async () => {
      const file = join(folder.path, 'wrong.py')
      await writeFile(file, program)
      const { stdout } = await check(file)
      expect(
        [...stdout.matchAll(/^.*:(\d+): (?:error|note): (.*)$/gm)].map(([, line, text]) => `${line} ${text}`),
      ).to.deep.equal([
        '4 Revealed type is "builtins.str"',
        '5 Unexpected keyword argument "metadata"  [call-arg]',
        "6 Argument \"from_status\" has incompatible type \"Literal['done']\"; expected \"Literal['pending', 'started', 'submitted', 'approved', 'denied', 'resubmission', 'rejected']\"  [arg-type]",
        '9 Revealed type is "Union[builtins.bool, None]"',
      ])
    })
  },
)

/** Of wheels, the metadata without spaces, in an order, and the names of the files. Each has the size and digest of RECORD. */
const readWheels = `import base64, csv, email, hashlib, io, json, sys, zipfile
def read(path):
    wheel = zipfile.ZipFile(path)
    assert wheel.testzip() is None
    [folder] = {name.split("/")[0] for name in wheel.namelist() if ".dist-info/" in name}
    record = list(csv.reader(io.StringIO(wheel.read(folder + "/RECORD").decode())))
    assert sorted(row[0] for row in record) == sorted(wheel.namelist())
    for name, digest, size in record:
        content = wheel.read(name)
        if digest:
            assert len(content) == int(size), name
            assert "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=") == digest, name
    metadata = email.message_from_bytes(wheel.read(folder + "/METADATA"))
    items = [[key, value.replace(" ", "").replace("(", "").replace(")", "").replace("'", '"')] for key, value in metadata.items()]
    return {"metadata": [*sorted(items), metadata.get_payload().strip()], "files": sorted(wheel.namelist())}
json.dump([read(path) for path in sys.argv[1:]], sys.stdout)`

const program = `from age_verification import AsyncClient, Client

def call(client: Client) -> None:
    reveal_type(client.start(ip="::1").session_url)
    client.start(metadata="x")
    client.wait_for_change("v", from_status="done")

async def call_async(client: AsyncClient) -> None:
    reveal_type((await client.status("v", wait=3)).over18)
`

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

    it('has the metadata and the modules that setuptools makes of its sources', async () => {
      const env = { PATH: process.env.PATH, PIP_NO_INDEX: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' }
      const built = join(folder.path, 'built')
      // It writes beside what it reads.
      const source = join(folder.path, 'source')
      await cp('clients/python', source, { recursive: true })
      await cp('LICENSE', join(source, 'LICENSE'))
      const building = ['wheel', '--no-deps', '--no-build-isolation', '--wheel-dir', built, source]
      await runProgram(python!, ['-m', 'pip', ...building], { env })
      const { stdout } = await runProgram(python!, [
        '-c',
        readWheels,
        packed.wheel,
        join(built, basename(packed.wheel)),
      ])
      const [ours, theirs] = JSON.parse(stdout)
      expect(ours.metadata).to.deep.equal(theirs.metadata)
      expect(ours.files).to.deep.equal(
        theirs.files.filter((file: string) => !file.endsWith('/top_level.txt')),
      )
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
