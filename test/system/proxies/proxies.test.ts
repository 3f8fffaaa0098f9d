import { randomUUID } from 'node:crypto'
import { connect } from 'node:tls'
import { expect } from 'chai'
import { redisServer } from '../../harness/engines/redis.ts'
import { eventually } from '../../harness/eventually.ts'
import { curl } from '../../harness/processes/restarted-instances.ts'
import { describeWith } from '../../harness/system-program.ts'
import type { Engine } from './engines.ts'
import { failuresOf, type Sent } from './load.ts'
import { type RunningProxy, useProxiedService } from './proxied-service.ts'

describeWith([curl, redisServer], 'The proxies of deploy/proxies, in front of two instances', () => {
  const site = useProxiedService()
  const { send, forEachEngine } = site
  /** In query strings. */
  const secret = `secret${randomUUID()}`

  function expectNoSecretLogged({ log, target }: RunningProxy): void {
    for (const text of [secret, target.apiKey, target.verificationId]) expect(log()).not.to.contain(text)
  }

  describe('while both run', () => {
    forEachEngine('hides metrics, however their path is spelled', async proxy => {
      for (const path of ['/metrics', '/metrics?x', '/metrics/', '//metrics', '/%6detrics', '/METRICS']) {
        expect(await send(proxy, path), path)
          .to.include({ status: 404 })
          .and.not.property('text', 'process_cpu')
      }
    })

    forEachEngine('logs no query string and no API key, of whatever request', async proxy => {
      const host = 'Host: localhost\r\n'
      for (const head of [
        `GET /verify/status?verificationId=${secret} HTTP/1.1\r\n${host}Referer: https://localhost/?${secret}\r\n`,
        `GET /a b?${secret} HTTP/1.1\r\n${host}`,
        `GET /%zz?${secret} HTTP/1.1\r\n${host}`,
        `GET /?${secret} HTTP/1.1\r\n`,
        `GET /?${secret} HTTP/1.1\r\n${host}X-Long: ${'x'.repeat(40_000)}\r\n`,
        `GET /?${secret} HTTP/3.9\r\n${host}`,
        `GET /${'x'.repeat(40_000)}?${secret} HTTP/1.1\r\n${host}`,
      ]) {
        await exchange(
          proxy.port,
          `${head}x-tenant-api-key: ${proxy.target.apiKey}\r\nConnection: close\r\n\r\n`,
        )
      }
      await send(proxy, '/verify/submit')
      await eventually(() => proxy.log().includes('/verify/submit'))
      expectNoSecretLogged(proxy)
    })
  })

  describe('while they restart one after the other, and once more', () => {
    let results: Map<Engine, Sent[]>
    before('restart them', async () => {
      results = await site.underLoad(async () => {
        for (let times = 0; times < 2; times++) {
          expect(await site.instances.runScript()).to.deep.equal({ code: 0, err: '' })
        }
      })
    })

    forEachEngine('fails no request', (proxy, engine) => {
      const sent = results.get(engine)!
      expect(new Set(sent.map(({ kind }) => kind))).to.have.lengthOf(5)
      expect(failuresOf(sent), proxy.log()).to.deep.equal([])
    })
  })
})

/** Sends text, and resolves when the connection is closed. */
async function exchange(port: number, text: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false })
  socket.write(text)
  socket.resume()
  await new Promise<void>(resolve => {
    socket.once('close', () => resolve())
    socket.on('error', () => socket.destroy())
  })
}
