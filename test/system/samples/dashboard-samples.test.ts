import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import type { TenantScope } from '#domain/scope.ts'
import { sampleEvent } from '#domain/webhook/sample-event.ts'
import { signEvent } from '#domain/webhook/signature.policy.ts'
import { curlCommand } from '../../../dashboard/src/settings/webhook/sample-request.ts'
import { useSamples } from '../../documents/samples.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { describeWith, findProgram, runProgram } from '../../harness/system-program.ts'
import { control } from '../../harness/tenant-client.ts'
import { useService, useTenant } from '../../harness/use-service.ts'

const languages = [
  { label: 'curl', program: findProgram('curl') && findProgram('sh'), extension: 'sh' },
  { label: 'Node', program: process.execPath, extension: 'mjs' },
  { label: 'Python', program: findProgram('python3'), extension: 'py' },
]

describe('The sample programs that the dashboard shows', () => {
  const service = useService()
  const tenant = useTenant(service)
  const folder = useSamples()

  for (const { label, program, extension } of languages) {
    describeWith([{ isMissing: !program, reason: `no program for ${label} on the PATH` }], label, () => {
      it('start a verification, read its result and validate its token', async () => {
        const started = await call('start')
        const [verificationId = ''] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(started) ?? []
        expect(started).to.contain(`${service.veriffUrl}/v/`)
        await control(service, verificationId, 'open')
        await control(service, verificationId, 'submit')
        await control(service, verificationId, 'decide', { outcome: 'approve-adult' })
        const result = await call('status', { VERIFICATION_ID: verificationId })
        expect(result).to.contain('approved').and.match(/true/i)
        const [token = ''] = /eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(result) ?? []
        expect(await call('validate', { TOKEN: token }))
          .to.match(/true/i)
          .and.contain('OK')
        expect(await call('validate', { TOKEN: 'unknown' }))
          .to.match(/false/i)
          .and.contain('TOKEN_NOT_FOUND')
      })

      async function call(name: string, input: Record<string, string> = {}): Promise<string> {
        const { PATH = '', HOME = '' } = process.env
        const env = { PATH, HOME, SERVICE_URL: service.baseUrl, API_KEY: tenant.apiKey, ...input }
        return (await runProgram(program!, [`${name}.${extension}`], { cwd: folder(), env })).stdout
      }
    })
  }
})

it('The curl command of the sample event sends its exact bytes and a valid signature', async () => {
  const scope = { actor: { tenantId: '01a1faec-686b-7315-9fb3-9d3714ae0296' }, provider: { name: 'veriff' } }
  const sample = sampleEvent(scope as TenantScope)
  const path = '/age-events?of=it%27s&to=$HOME'
  const received: unknown[] = []
  const receiver = createServer(async (request, response) => {
    const { method, url, headers } = request
    received.push(method, url, headers['x-webhook-signature'], await text(request))
    response.writeHead(204).end()
  })
  const { port, close } = await listenLocally(receiver)
  const { stdout } = await runProgram('sh', ['-c', curlCommand(`http://localhost:${port}${path}`, sample)])
  await close()
  expect(stdout).to.match(/^HTTP\/1\.1 204 /)
  expect(received).to.deep.equal(['POST', path, signEvent(sample.body, sample.secret), sample.body])
})
