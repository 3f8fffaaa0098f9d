import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { shellScript } from '../../documents/samples.ts'
import { describeWith, findProgram, runProgram } from '../../harness/system-program.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import { useService, useTenant } from '../../harness/use-service.ts'

const programs = ['curl', 'jq', 'openssl'].map(name => ({
  isMissing: findProgram(name) === undefined,
  reason: `no ${name} on the PATH`,
}))

describeWith(programs, 'The shell commands of the documents', () => {
  const service = useService()
  const tenant = useTenant(service, { test: true })
  const folder = temporaryFolder()

  it('of README.md lead from a start to a valid token', async () => {
    await run('README.md')
    expect(await json('status.json')).to.include({ status: 'approved', over18: true })
    expect(await json('validation.json')).to.deep.equal({ valid: true, over18: true, reason: 'OK' })
  })

  it('of the quick start lead from a start to a valid token', async () => {
    await run('docs/quick-start.md')
    expect(await json('started.json')).to.include({ status: 'started' })
    expect(await json('status.json')).to.include({ status: 'approved', over18: true })
    expect(await json('validation.json')).to.deep.equal({ valid: true, over18: true, reason: 'OK' })
  })

  it('of the page about tokens validate a token', async () => {
    const client = tenantClient(service, tenant)
    const { body } = await client.choose((await client.start()).body.verificationId, 'adult')
    const output = await run('docs/tokens.md', { TOKEN: body.token })
    expect(JSON.parse(output)).to.deep.equal({ valid: true, over18: true, reason: 'OK' })
  })

  it('of the page about webhooks print the signature that it shows', async () => {
    const output = await run('docs/webhooks.md')
    const body = await readFile(join(folder.path, 'body.json'))
    const signature = createHmac('sha256', 'whsec_example').update(body).digest('hex')
    expect(output.trim()).to.equal(signature)
    expect(await readFile('docs/webhooks.md', 'utf8')).to.contain(`\n${signature}\n`)
    expect(JSON.parse(body.toString())).to.include({ event: 'verification.completed' })
  })

  it('of the page about testing approve a minor, revoke a token, and simulate the faults that it describes', async () => {
    const output = await run('docs/testing.md')
    expect(await json('minor.json')).to.include({ status: 'approved', over18: false })
    const revoked = await json('revoked.json')
    expect(revoked).to.include({ status: 'approved', over18: null }).and.not.have.property('token')
    expect(revoked).to.have.property('tokenRevokedAt')
    const promised = [...shellScript('docs/testing.md').matchAll(/ {2}# (\S+)$/gm)].map(([, word]) => word)
    expect(promised).to.have.length(10)
    // The response before them ends without a line break.
    const words = output.slice(output.lastIndexOf('}') + 1)
    expect(words.trim().split('\n')).to.deep.equal(promised)
  })

  async function run(document: string, env: Record<string, string> = {}): Promise<string> {
    const { stdout } = await runProgram('/bin/sh', ['-euc', shellScript(document)], {
      cwd: folder.path,
      env: {
        PATH: process.env.PATH,
        SERVICE_URL: service.baseUrl,
        API_KEY: tenant.apiKey,
        ...env,
      },
    })
    return stdout
  }

  async function json(file: string) {
    return JSON.parse(await readFile(join(folder.path, file), 'utf8'))
  }
})
