import { expect } from 'chai'
import Koa from 'koa'
import { listen } from '#server/http/listen.ts'
import { serveMetrics } from '#server/http/metrics.ts'
import { call } from '#test/support/tenant-client.ts'

describe('GET /metrics', () => {
  it('collects once a second at most, however many requests there are', async () => {
    let collections = 0
    const metrics = async () => `collections ${++collections}\n`
    const app = new Koa().use(
      serveMetrics({ contentType: 'text/plain; version=0.0.4; charset=utf-8', metrics }),
    )
    const { port, drain } = await listen(app, { host: '127.0.0.1', port: 0 })
    try {
      const startedAt = performance.now()
      for (let round = 0; round < 5; round++) {
        await Promise.all(Array.from({ length: 20 }, () => call(`http://127.0.0.1:${port}/metrics`)))
      }
      const seconds = Math.ceil((performance.now() - startedAt) / 1_000)
      expect(collections).to.be.within(1, seconds)
    } finally {
      await drain()
    }
  })
})
