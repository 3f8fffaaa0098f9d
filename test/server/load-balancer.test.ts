import { expect } from 'chai'
import { freePort } from '#server/http/free-port.ts'
import { haproxy, runHaproxy } from '../harness/engines/haproxy.ts'
import { redisServer, startTestRedis } from '../harness/engines/redis.ts'
import { TcpProxy } from '../harness/engines/tcp-proxy.ts'
import { eventually } from '../harness/eventually.ts'
import { decisionOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { describeWith } from '../harness/system-program.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import type { TestService } from '../harness/test-service.ts'
import { useService, useTenant } from '../harness/use-service.ts'

describeWith([haproxy, redisServer], 'A load balancer that probes readiness', () => {
  const closing = new AsyncDisposableStack()
  let network: TcpProxy
  let balanced: TestService
  before(async () => {
    const redis = await startTestRedis()
    closing.defer(() => redis.close())
    network = await TcpProxy.open(Number(new URL(redis.url).port))
    closing.defer(() => network.close())
  })
  const service = useService(() => ({ redisUrl: `redis://127.0.0.1:${network.port}` }))
  const tenant = useTenant(service)
  before(async () => {
    const port = await freePort()
    balanced = { ...service, baseUrl: `http://127.0.0.1:${port}` }
    await runHaproxy(configuration(port, Number(new URL(service.baseUrl).port)), closing)
    await eventually(async () => (await status()).status === 404)
  })
  after(() => closing.disposeAsync())

  const unknown = '01a00000-0000-7000-8000-000000000000'
  const status = () => tenantClient(balanced, tenant).status(unknown)

  it('keeps the provider’s callbacks routed while Redis is away, and the tenant API is not', async () => {
    const { body } = await tenantClient(balanced, tenant).start()
    network.set('refused')
    // The load balancer's own response, not one of the service.
    await eventually(async () => !(await status()).headers.has('x-request-id'))
    expect((await status()).status).to.equal(503)
    const decision = decisionOn(await sessionOf(service, body.verificationId), 'approved')
    expect((await sendCallback(balanced, decision)).status).to.equal(200)
    network.set('open')
    await eventually(async () => (await status()).status === 404)
    const decided = await tenantClient(balanced, tenant).status(body.verificationId)
    expect(decided.body.status).to.equal('approved')
  })
})

function configuration(port: number, servicePort: number): string {
  return `
defaults
  mode http
  retries 0
  timeout connect 1s
  timeout client 10s
  timeout server 10s
  timeout check 5s
  timeout http-request 10s
  default-server check inter 200ms fall 1 rise 1
frontend public
  bind 127.0.0.1:${port}
  stick-table type ipv6 size 1m expire 1m store conn_cur
  tcp-request connection track-sc0 src
  tcp-request connection reject if { sc0_conn_cur gt 200 }
  http-request set-header X-Forwarded-For %[src]
  use_backend callbacks if { path /verify/callback }
  default_backend tenants
backend tenants
  option httpchk GET /health/ready
  server one 127.0.0.1:${servicePort}
backend callbacks
  option httpchk GET /health/ready/callbacks
  server one 127.0.0.1:${servicePort}
`
}
