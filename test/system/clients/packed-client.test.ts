import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { evidenceVectors } from '../../clients/test-vectors.ts'
import { useSamples } from '../../documents/samples.ts'
import { eventually } from '../../harness/eventually.ts'
import { describeWith } from '../../harness/system-program.ts'
import { call, control, tenantClient } from '../../harness/tenant-client.ts'
import { useService, useTenant } from '../../harness/use-service.ts'
import { compile } from '../compile.ts'
import { runSample } from '../samples/run-sample.ts'
import { installPackedClient, runtimes } from './packed-client.ts'

describe('The packed TypeScript client', () => {
  const service = useService()
  const tenant = useTenant(service)
  const folder = useSamples()
  let files: string[]
  before('pack and install the client', async () => {
    files = await installPackedClient(folder())
  })

  it('consists of compiled code, types, the licence and the README', () => {
    const others = files.filter(file => !/^dist\/[\w/.-]+\.(js|d\.ts)$/.test(file))
    expect(others.toSorted()).to.deep.equal([
      'LICENSE',
      'README.md',
      'dist/commonjs/package.json',
      'package.json',
    ])
    expect(files).to.include.members(['dist/index.js', 'dist/index.d.ts', 'dist/offline/token-verifier.js'])
  })

  it('has types with which the samples compile under strict: those in JavaScript up to the types of their own parameters', async () => {
    const options = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
    }
    for (const { patterns, more } of [
      { patterns: ['typescript/*.ts'], more: {} },
      {
        patterns: ['typescript/*.js', '{resubmission,reconcile}.mjs'],
        more: { checkJs: true, noImplicitAny: false },
      },
    ]) {
      const compilerOptions = { ...options, allowJs: true, types: ['node'], ...more }
      // Those of NestJS, Next.js and Vercel are built where these are installed.
      const files = globSync(patterns, { cwd: folder(), exclude: ['typescript/{nest,next,vercel}.*'] })
      expect(await compile(folder(), compilerOptions, files)).to.equal('')
    }
  })

  for (const runtime of runtimes) {
    const run = (file: string, more: Record<string, string> = {}) => {
      const env = { SERVICE_URL: service.baseUrl, API_KEY: tenant.apiKey, ...more }
      return runSample([runtime.program, `typescript/${file}`], env, folder())
    }

    describeWith([runtime], `on ${runtime.name}`, () => {
      it('verifies an age as the README shows', async () => {
        const sample = run('verify-age.js')
        await eventually(() => sample.output().includes('Redirect your user to http'))
        const sessions = await call(`${service.veriffUrl}/control/sessions`)
        const { vendorData } = sessions.body.sessions.at(-1)
        await control(service, vendorData, 'decide', { outcome: 'approve-adult' })
        expect(await sample.ended, sample.output()).to.equal(0)
        expect(sample.output()).to.match(/\nWelcome\nWelcome back\n$/)
      })

      it('runs the command', async () => {
        const file = 'node_modules/@age-verification/client/dist/command/main.js'
        const sample = runSample([runtime.program, file, 'listen', '--forward-to', 'nowhere'], {}, folder())
        expect(await sample.ended).to.equal(1)
        expect(sample.output()).to.equal(
          'error: --forward-to must be the http or https URL of your receiver\n',
        )
      })

      it('verifies tokens offline as the README shows', async () => {
        const client = tenantClient(service, tenant)
        const outputs = ['approve-adult', 'approve-minor'].map(async outcome => {
          const { body } = await client.status(await client.decided(outcome))
          const sample = run('offline.js', { TOKEN: body.token, TENANT_ID: tenant.tenantId })
          await sample.ended
          return sample.output()
        })
        expect(await Promise.all(outputs)).to.deep.equal(['admit\n', 'refuse: UNDERAGE_OR_UNKNOWN\n'])
      })

      it('verifies the evidence of a month as the README shows, with the kept files alone', async () => {
        const { jws, jwks, issuer, audience } = evidenceVectors[0]!
        await writeFile(join(folder(), 'evidence.jwt'), `${jws}\n`)
        await writeFile(join(folder(), 'jwks.json'), JSON.stringify(jwks))
        const sample = run('evidence.js', { SERVICE_URL: issuer, TENANT_ID: audience })
        expect(await sample.ended, sample.output()).to.equal(0)
        expect(sample.output()).to.equal('2026-11: 80 approved\n')
      })
    })
  }
})
