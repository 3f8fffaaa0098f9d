import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { generate } from 'selfsigned'
import { Agent, type Dispatcher, request } from 'undici'
import { definePlan } from '#domain/tenant/define-plan.ts'
import { freePort } from '#server/http/free-port.ts'
import { signature } from '#server/providers/veriff/signature.ts'
import { startTestRedis } from '../../harness/engines/redis.ts'
import { eventually } from '../../harness/eventually.ts'
import { createInstances, type RestartedInstances } from '../../harness/processes/restarted-instances.ts'
import { externalVariables, serviceFixture } from '../../harness/processes/service-fixture.ts'
import { eventOn, sessionOf } from '../../harness/provider-callback.ts'
import { describeWith } from '../../harness/system-program.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import { createTestTenant, type TestService } from '../../harness/test-service.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { useService } from '../../harness/use-service.ts'
import { type Engine, engines } from './engines.ts'
import { type LoadTarget, type Sent, startLoad } from './load.ts'

/** A proxy that runs. */
export interface RunningProxy {
  url: string
  port: number
  /** All that it has logged. */
  log(): string
  /** Of a tenant of its own. */
  target: LoadTarget
}

export interface Response {
  status: number
  headers: Record<string, unknown>
  text: string
}

type Options = Partial<Dispatcher.RequestOptions>

/** nginx sends an instance nothing for a while after requests to it failed. */
const leftOutMs = 75_000

/** Two instances of the API, `1` and `2`, and in front of them each proxy that is installed. */
export function useProxiedService() {
  const service = useService()
  const redis = useOpened(startTestRedis)
  const fixture = serviceFixture()
  const closing = new AsyncDisposableStack()
  const proxies = new Map<Engine, RunningProxy>()
  let instances: RestartedInstances
  const [http2, http1] = [true, false].map(
    allowH2 => new Agent({ connect: { rejectUnauthorized: false }, allowH2 }),
  )

  before('start two instances and the proxies', async () => {
    const settings = {
      ...externalVariables(service.databaseUrl, { baseUrl: service.veriffUrl, ...service.veriff }),
      REDIS_URL: redis.url,
      ROLE: 'api',
      TRUST_PROXY: '1',
      SHUTDOWN_DELAY: '3',
    }
    await definePlan(service.operator(), { name: 'busy', rateLimitPerMinute: 10_000, monthlyQuota: 100_000 })
    instances = await createInstances(fixture, settings, closing)
    for (const name of ['1', '2']) expect(await instances.restart(name)).to.equal(true)
    const certificate = await makeCertificate()
    await Promise.all(
      engines.filter(({ requirement }) => !requirement.isMissing).map(engine => start(engine, certificate)),
    )
    await untilEach('/health/ready', 200)
  })
  after(async () => {
    await Promise.all([http2, http1].map(agent => agent!.destroy()))
    await closing.disposeAsync()
  })

  async function makeCertificate() {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }])
    const at = (name: string) => join(fixture.folder, `${name}.pem`)
    await writeFile(at('key'), key)
    await writeFile(at('chain'), cert)
    await writeFile(at('both'), key + cert)
    return { key: at('key'), chain: at('chain'), both: at('both') }
  }

  async function start(engine: Engine, certificate: Awaited<ReturnType<typeof makeCertificate>>) {
    const folder = join(fixture.folder, engine.name)
    await mkdir(folder)
    const port = await freePort()
    const [one, two] = [...instances.running.values()].map(instance => instance.port)
    const log = await engine.start({ folder, port, instances: [one!, two!], certificate, closing })
    proxies.set(engine, { url: `https://localhost:${port}`, port, log, target: await createTarget(service) })
  }

  /** One request, on a connection of its own over HTTP/1.1, or by `version` over HTTP/2. */
  async function send(
    proxy: RunningProxy,
    path: string,
    options: Options = {},
    version = 1,
  ): Promise<Response> {
    const headers = {
      'x-tenant-api-key': proxy.target.apiKey,
      ...(options.headers as Record<string, string>),
    }
    const dispatcher = version === 2 ? http2! : http1!
    const sent = { method: 'GET', ...options, headers, dispatcher, reset: version === 1 } as const
    const { statusCode: status, headers: received, body } = await request(proxy.url + path, sent)
    return { status, headers: received, text: await body.text() }
  }

  /** Waits until each proxy answers with this status. */
  async function untilEach(path: string, status: number): Promise<void> {
    for (const [engine, proxy] of proxies) {
      const check = async () => (await send(proxy, path)).status
      await eventually(check, { until: got => got === status, timeoutMs: leftOutMs }).catch(error => {
        throw new Error(`${engine.name}: ${proxy.log().slice(-2_000)}`, { cause: error })
      })
    }
  }

  return {
    get instances() {
      return instances
    },
    service,
    proxies,
    send,

    /** Each proxy has a load while this runs. Resolves with what each of them got. */
    async underLoad(run: () => Promise<void>): Promise<Map<Engine, Sent[]>> {
      const loads = [...proxies].map(([engine, { url, target }]) => ({
        engine,
        load: startLoad(url, target),
      }))
      const [outcome] = await Promise.allSettled([run()])
      const results = loads.map(async ({ engine, load }) => [engine, await load.stop()] as const)
      const sent = new Map(await Promise.all(results))
      if (outcome.status === 'rejected') throw outcome.reason
      return sent
    },

    /** A test of each proxy; pending where that is not installed. */
    forEachEngine(
      promise: string,
      test: (proxy: RunningProxy, engine: Engine) => Promise<void> | void,
    ): void {
      for (const engine of engines) {
        describeWith([engine.requirement], engine.name, () => {
          it(promise, () => test(proxies.get(engine)!, engine))
        })
      }
    },
  }
}

/** Of a tenant of its own, with limits that a load doesn't meet. */
async function createTarget(service: TestService): Promise<LoadTarget> {
  const { apiKey } = await createTestTenant(service, { plan: 'busy' })
  const tenant = tenantClient(service, { apiKey })
  const approved = await tenant.decided('approve-adult')
  const { token } = await eventually(async () => (await tenant.status(approved)).body, {
    until: body => body.token !== undefined,
  })
  const { verificationId } = (await tenant.start()).body
  const body = JSON.stringify(eventOn(await sessionOf(service, verificationId), 7002))
  return { apiKey, verificationId, token, callback: callbackOf(service, body) }
}

function callbackOf({ veriff }: TestService, body: string): LoadTarget['callback'] {
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-auth-client': veriff.apiKey,
      'x-hmac-signature': signature(body, veriff.sharedSecret),
    },
  }
}
