import { expect } from 'chai'
import { expectError } from '../harness/expect-error.ts'
import { sendRaw } from '../harness/raw-http.ts'
import { countRecords, noRecords } from '../harness/stored.ts'
import { useService, useTenant } from '../harness/use-service.ts'

const malformedHosts = [
  '][ | [::1 | ::1 | [1.2.3.4] | [::g] | a b | a@b | a/b | http://a | a?b | a, b | :3000 | a:b | a:80:80 | a%zz | ä.example',
].flatMap(line => line.split(' | '))

/** What stands before the headers of a request, and the headers; then what is wrong with it. */
const rejected: [string, headers: string[], issue: string, version?: string][] = [
  ['no Host', [], 'Host is required'],
  ['an empty Host', ['Host:'], 'Host must be'],
  ['a Host of spaces', ['Host:   '], 'Host must be'],
  ['two different Hosts', ['Host: a', 'Host: b'], 'Host was sent more than once'],
  ['the same Host twice', ['Host: a', 'host: a'], 'Host was sent more than once'],
  ['two Hosts in HTTP/1.0', ['Host: a', 'Host: b'], 'Host was sent more than once', '1.0'],
  ['a malformed Host in HTTP/1.0', ['Host: a b'], 'Host must be', '1.0'],
  ...malformedHosts.map((host): [string, string[], string] => [
    `the Host ${host}`,
    [`Host: ${host}`],
    'Host must be',
  ]),
  ['HTTP/2.0 in its first line', ['Host: a'], 'HTTP version must be', '2.0'],
  ['HTTP/0.9 in its first line', ['Host: a'], 'HTTP version must be', '0.9'],
  ...['gzip, chunked', 'deflate,chunked', 'identity, chunked'].map((coding): [string, string[], string] => [
    `the transfer coding ${coding}`,
    ['Host: a', `Transfer-Encoding: ${coding}`],
    'Transfer-Encoding must be',
  ]),
  [
    'two transfer codings in two headers',
    ['Host: a', 'Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'],
    'Transfer-Encoding must be',
  ],
  ['a transfer coding in HTTP/1.0', ['Host: a', 'Transfer-Encoding: chunked'], 'Transfer-Encoding', '1.0'],
]

/** Of proxies, load balancers, probes and browsers. */
const hosts = [
  'verify.example:443 | VERIFY.Example | verify.example. | localhost:3000 | 10.0.0.7 | [::1]:3000 | [fe80::1%25eth0]',
  'age_verification.svc | xn--mnchen-3ya.example',
  `${'a'.repeat(300)}.example`,
].flatMap(line => line.split(' | '))

describe('A request', () => {
  const service = useService()
  const tenant = useTenant(service)
  const send = (line: string, headers: string[], body = '') =>
    sendRaw(service.baseUrl, Buffer.from(`${[line, ...headers].join('\r\n')}\r\n\r\n${body}`))
  const credentials = () => [`x-tenant-api-key: ${tenant.apiKey}`, 'Content-Type: application/json']

  for (const [title, headers, issue, version = '1.1'] of rejected) {
    it(`with ${title} is rejected, and does nothing`, async () => {
      const chunked = headers.some(header => header.startsWith('Transfer-Encoding'))
      for (const target of ['POST /verify/start', 'POST /verify/callback', 'GET /health/live', 'GET /docs']) {
        const all = [...headers, ...credentials(), ...(chunked ? [] : ['Content-Length: 2'])]
        const response = await send(`${target} HTTP/${version}`, all, chunked ? '2\r\n{}\r\n0\r\n\r\n' : '{}')
        expectError(response, 'INVALID_PARAMETERS')
        expect(response.headers.get('connection')).to.equal('close')
        expect(response.body.message).to.match(/\.$/).and.include(issue)
        const [{ path, message }] = response.body.details.issues
        expect(response.body.message).to.include(`${path} ${message}`)
      }
      expect(await countRecords(service, tenant.tenantId)).to.deep.equal(noRecords)
    })
  }

  for (const host of hosts) {
    it(`is served with the Host ${host.slice(0, 40)}, also by the console and to probes`, async () => {
      const headers = [`Host: ${host}`]
      expectError(await send('GET /verify/status HTTP/1.1', headers), 'UNAUTHENTICATED_TENANT')
      expect((await send('GET /health/live HTTP/1.1', headers)).status).to.equal(200)
      const { body } = await send('GET /console/session.me HTTP/1.1', headers)
      expect(body.error.data.error).to.equal('UNAUTHENTICATED_TENANT')
    })
  }

  it('of HTTP/1.0 needs no Host', async () => {
    for (const headers of [[], ['Host: a']]) {
      expectError(await send('GET /verify/status HTTP/1.0', headers), 'UNAUTHENTICATED_TENANT')
    }
  })

  for (const target of ['http://verify.example/verify/status', 'https://other.example:8443/verify/status']) {
    it(`whose target is the absolute URL ${target} is served by its path, and needs a Host too`, async () => {
      expectError(await send(`GET ${target} HTTP/1.1`, ['Host: a']), 'UNAUTHENTICATED_TENANT')
      expectError(await send(`GET ${target} HTTP/1.1`, []), 'INVALID_PARAMETERS')
    })
  }

  for (const coding of ['chunked', 'Chunked', ' CHUNKED ']) {
    it(`is served with the transfer coding "${coding}"`, async () => {
      const headers = ['Host: a', ...credentials(), `Transfer-Encoding: ${coding}`]
      const response = await send('POST /tokens/validate HTTP/1.1', headers, '2\r\n{}\r\n0\r\n\r\n')
      expectError(response, 'INVALID_REQUEST_BODY')
    })
  }
})
