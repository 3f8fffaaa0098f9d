import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { describeWith, findProgram, outcomeOf } from '../../harness/system-program.ts'
import { useService, useTenant } from '../../harness/use-service.ts'

const newman = findProgram('newman')

describeWith([{ isMissing: !newman, reason: 'no newman' }], 'The Postman collection', function () {
  this.timeout(60_000)
  const service = useService()
  const testTenant = useTenant(service, { test: true })
  const folder = temporaryFolder()
  before('download it', async () => {
    const page = await (await fetch(`${service.baseUrl}/docs/downloads`)).text()
    const [, name = ''] = /href="..\/docs\/downloads\/([^"]+postman_collection\.json)"/.exec(page)!
    const response = await fetch(`${service.baseUrl}/docs/downloads/${name}`)
    await writeFile(join(folder.path, 'collection.json'), await response.bytes())
  })

  it('leads from a start to a valid token when only a key is set', async () => {
    const { code, failures, requests } = await run(testTenant.apiKey)
    expect(failures).to.deep.equal([])
    expect(code).to.equal(0)
    expect(requests).to.deep.equal([
      'POST /verify/start 201',
      'GET /verify/status 200',
      'POST /verify/submit 200',
      'POST /test/verifications/ID/outcome 200',
      'GET /verify/status 200',
      'POST /tokens/validate 200',
      'GET /.well-known/jwks.json 200',
    ])
  })

  it('fails with a key that the service does not know', async () => {
    const { code, failures, requests } = await run('')
    expect(code).to.equal(1)
    expect(failures).to.include('responds with 201')
    expect(requests.filter(request => / 20\d$/.test(request))).to.deep.equal([
      'GET /.well-known/jwks.json 200',
    ])
  })

  async function run(apiKey: string) {
    const report = join(folder.path, 'report.json')
    const args = ['run', 'collection.json', '--env-var', `apiKey=${apiKey}`, '--reporters', 'json']
    const options = { cwd: folder.path, env: { PATH: process.env.PATH, HOME: folder.path } }
    const { code } = await outcomeOf(newman!, [...args, '--reporter-json-export', report], options)
    const { run } = JSON.parse(await readFile(report, 'utf8')) as Report
    return {
      code,
      failures: run.failures.map(({ error }) => error.test),
      requests: run.executions.map(({ request, response }) => {
        const path = request.url.path.join('/').replace(/[\da-f-]{36}/, 'ID')
        return `${request.method} /${path} ${response.code}`
      }),
    }
  }
})

/** What is read of newman's report. */
interface Report {
  run: {
    failures: { error: { test: string } }[]
    executions: { request: { method: string; url: { path: string[] } }; response: { code: number } }[]
  }
}
