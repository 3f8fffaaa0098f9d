import type { Server } from 'node:http'
import { expect } from 'chai'
import { errorCatalogue } from '#domain/error-codes.ts'
import { errorsOf } from '#rest/openapi.ts'
import { endpoints } from '#rest/router.ts'
import { fieldsOf } from '#server/pages/docs/fields-of.ts'
import { serveDocs } from './serve-docs.ts'

const baseUrl = 'https://age.example/api'

describe('The API reference at /docs/api', () => {
  let server: Server
  let address: string
  let page: string
  before(async () => {
    ;({ server, address } = await serveDocs(baseUrl))
    page = await (await fetch(`${address}/docs/api`)).text()
  })
  after(() => server.close())

  /** The content of the section whose heading has this id, with its tags. */
  const sectionOf = (id: string) =>
    plain(page.split(`aria-labelledby="${id}"`)[1]?.split('</section>')[0] ?? '')

  const sectionFor = (method: string, path: string) => {
    const heading = new RegExp(`<h3 id="(\\w+)"><span class="method">${method}</span> <code>${path}</code>`)
    return sectionOf(page.match(heading)?.[1] ?? '')
  }

  for (const endpoint of endpoints.filter(({ access }) => access.by !== 'provider')) {
    it(`documents ${endpoint.method} ${endpoint.path} with its summary, example and every error`, () => {
      const { method, path, summary } = endpoint
      const section = sectionFor(method, path)
      expect(section).to.contain(plain(summary))
      for (const code of errorsOf(endpoint)) {
        expect(section).to.contain(`<code>${code}</code>: ${errorCatalogue[code]}`)
      }
      if (endpoint.access.by === 'tenant') {
        expect(section).to.contain(`${baseUrl}${path}`).and.contain('x-tenant-api-key: $API_KEY')
      } else {
        expect(section).to.contain('Doesn’t require an API key').and.not.contain('curl')
      }
    })
  }

  it('shows example calls with the required parameters and fields only', () => {
    expect(sectionFor('POST', '/verify/start')).to.contain("-d '{}'").and.contain('idempotency-key')
    expect(sectionFor('GET', '/verify/status')).to.match(/verify\/status\?verificationId=[0-9a-f]{8}-/)
    expect(sectionFor('POST', '/tokens/validate')).to.match(/-d '\{"token":"[\w.]+"\}'/)
  })

  it('lists nested fields, and the values that a field can have', () => {
    const start = sectionFor('POST', '/verify/start')
    expect(start).to.contain('<code>config.pollingIntervalMs</code>').and.contain('always <code>jwt</code>')
    expect(sectionFor('GET', '/verify/status')).to.contain('number, 0 to 1 or null')
    expect(sectionFor('GET', '/.well-known/jwks.json')).to.contain('<code>keys[].kid</code>')
  })

  it('lists every error code with its status', () => {
    for (const code of Object.keys(errorCatalogue)) {
      expect(sectionOf('errors')).to.match(new RegExp(`<code>${code}</code></a></th><td>[45]\\d\\d</td>`))
    }
  })

  it('has a target for every link within the page, and unique ids', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).to.equal(ids.length)
    expect(targets.length).to.be.greaterThan(endpoints.length)
    expect(ids).to.include.members(targets)
  })

  it('escapes the base URL', async () => {
    const other = await serveDocs('https://x/<b>')
    const text = await (await fetch(`${other.address}/docs/api`)).text()
    other.server.close()
    expect(text).to.contain('https://x/&lt;b&gt;').and.not.contain('<b>')
  })

  it('resolves references, and lists the fields of objects inside lists', () => {
    const item = { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } }
    const items = { type: 'array', items: { $ref: '#/components/schemas/Item' } }
    const fields = fieldsOf({ type: 'object', properties: { items } }, { Item: item })
    expect(fields.map(({ name }) => name)).to.deep.equal(['items', 'items[].tags'])
  })
})

function plain(markup: string): string {
  return markup.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}
