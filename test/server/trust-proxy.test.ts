import { expect } from 'chai'
import Koa from 'koa'
import { callerAddress } from '#server/http/client-address.ts'
import { listen } from '#server/http/listen.ts'
import { startSignInProvider } from '#test/console-api/sign-in-provider.ts'
import { call } from '../harness/tenant-client.ts'
import { useOpened } from '../harness/use-opened.ts'
import { useService } from '../harness/use-service.ts'
import { captureLog } from './captured-log.ts'

describe('A proxy in front', () => {
  const captured = captureLog()
  const service = useService({ log: captured.log })
  const trusted = captureLog()
  const behind = useService({ log: trusted.log, env: { TRUST_PROXY: '1' } })
  const warnings = ({ lines }: typeof captured) => lines().filter(({ level }) => level === 'warn')

  it('is warned of once, without an address, if none is trusted', async () => {
    await call(`${service.baseUrl}/health/live`)
    expect(warnings(captured)).to.deep.equal([])
    for (const [name, value] of [
      ['x-forwarded-for', '203.0.113.7'],
      ['forwarded', 'for=203.0.113.7'],
      ['x-forwarded-for', '203.0.113.8'],
    ] as const) {
      for (const { baseUrl } of [service, behind])
        await call(`${baseUrl}/verify/status`, { headers: { [name]: value } })
    }
    const [warning, ...others] = warnings(captured)
    expect(warning).to.include({ header: 'x-forwarded-for' })
    expect(warning?.msg).to.include('TRUST_PROXY')
    expect(others).to.deep.equal([])
    expect(captured.text()).not.to.include('203.0.113.')
    expect(warnings(trusted)).to.deep.equal([])
  })
})

describe('The address of a client', () => {
  const signIn = useOpened(() => startSignInProvider(() => new Date()))
  const service = useService(() => ({ issuer: signIn.issuer, env: { TRUST_PROXY: '1' } }))

  it('in the audit log is what the trusted proxy reports', async () => {
    const headers = {
      authorization: `Bearer ${await signIn.sign()}`,
      'x-forwarded-for': '198.51.100.1, 203.0.113.7',
    }
    const consoleUrl = `${service.baseUrl}/console`
    const json = { name: 'Corner Shop' }
    const created = await call(`${consoleUrl}/tenant.provision`, { method: 'POST', headers, json })
    expect(created.status).to.equal(200)
    const { body } = await call(`${consoleUrl}/audit.list`, { headers })
    expect(body.result.data.items[0].actorIp).to.equal('203.0.113.7')
  })

  /** What a server behind so many trusted proxies takes for the address of a client. */
  async function addressBehind(proxies: number, forwardedFor?: string): Promise<string> {
    const app = new Koa({ proxy: proxies > 0, maxIpsCount: proxies })
    app.use(ctx => {
      ctx.body = callerAddress(ctx)
    })
    const { port, drain } = await listen(app.callback(), { host: '127.0.0.1', port: 0 })
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
    const { body } = await call(`http://127.0.0.1:${port}`, { headers })
    await drain()
    return body
  }

  it('is the one that the outermost trusted proxy reports, without its port', async () => {
    expect(await addressBehind(1, '198.51.100.1, 203.0.113.7')).to.equal('203.0.113.7')
    expect(await addressBehind(2, '192.0.2.1, 203.0.113.7, 198.51.100.1')).to.equal('203.0.113.7')
    expect(await addressBehind(1, '203.0.113.7:4711')).to.equal('203.0.113.7')
    expect(await addressBehind(1, '[2001:db8::7]:4711')).to.equal('2001:db8::7')
  })

  it('is that of the connection if no trusted proxy reports one, or what it reports is no plain address', async () => {
    expect(await addressBehind(0, '203.0.113.7')).to.equal('127.0.0.1')
    for (const reported of [undefined, 'x'.repeat(5_000), `fe80::1%${'x'.repeat(300)}`])
      expect(await addressBehind(1, reported)).to.equal('127.0.0.1')
  })
})
