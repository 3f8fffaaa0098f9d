import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { expect } from 'chai'
import Koa from 'koa'
import { errorCatalogue } from '#domain/errors.ts'
import { errorsOf } from '#rest/openapi.ts'
import { endpoints } from '#rest/router.ts'
import { docsRouter } from '#server/docs/docs-router.ts'
import { fieldsOf } from '#server/docs/fields-of.ts'
import { securityHeaders } from '#server/http/security-headers.ts'

const baseUrl = 'https://age.example/api'

describe('GET /docs', () => {
  let server: Server
  let address: string
  let page: string
  let headers: Headers
  before(async () => {
    ;({ server, address } = await serve(baseUrl))
    const response = await fetch(`${address}/docs`)
    headers = response.headers
    page = await response.text()
  })
  after(() => server.close())

  /** The content of the section whose heading has this id, with its tags. */
  const sectionOf = (id: string) =>
    plain(page.split(`aria-labelledby="${id}"`)[1]?.split('</section>')[0] ?? '')

  for (const endpoint of endpoints.filter(({ access }) => access.by !== 'provider')) {
    it(`documents ${endpoint.method} ${endpoint.path} with its summary, example and every error`, () => {
      const { method, path, summary } = endpoint
      const heading = new RegExp(`<h3 id="(\\w+)"><span class="method">${method}</span> <code>${path}</code>`)
      const section = sectionOf(page.match(heading)?.[1] ?? '')
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
    expect(sectionOf('startVerification')).to.contain("-d '{}'").and.contain('idempotency-key')
    expect(sectionOf('getVerificationStatus')).to.match(/verify\/status\?verificationId=[0-9a-f]{8}-/)
    expect(sectionOf('validateToken')).to.match(/-d '\{"token":"ey[\w.]+"\}'/)
  })

  it('lists nested fields, and the values that a field can have', () => {
    const start = sectionOf('startVerification')
    expect(start).to.contain('<code>config.pollingIntervalMs</code>').and.contain('always <code>jwt</code>')
    expect(sectionOf('getVerificationStatus')).to.contain('number, 0 to 1 or null')
    expect(sectionOf('getJwks')).to.contain('<code>keys[].kid</code>')
  })

  it('lists every error code with its status', () => {
    for (const code of Object.keys(errorCatalogue)) {
      expect(sectionOf('errors')).to.match(new RegExp(`<code>${code}</code></th><td>[45]\\d\\d</td>`))
    }
  })

  it('shows an example event with a valid signature, and documents each of its fields', () => {
    const example = /printf '%s' '([^']+)' \| openssl dgst -sha256 -hmac '([^']+)'/
    const [, body = '', secret = ''] = plain(page).match(example) ?? []
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const event = JSON.parse(body)
    expect(event).to.include({ event: 'verification.completed' })
    expect(page).to.contain(`<code>${signature}</code>`)
    const { data, ...envelope } = event
    for (const field of [...Object.keys(envelope), ...Object.keys(data).map(name => `data.${name}`)]) {
      expect(sectionOf('webhooks')).to.contain(`<th scope="row"><code>${field}</code></th>`)
    }
  })

  it('has a target for every link within the page, and unique ids', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).to.equal(ids.length)
    expect(targets.length).to.be.greaterThan(endpoints.length)
    expect(ids).to.include.members(targets)
  })

  it('runs no script, loads nothing from another host, and cannot be framed', async () => {
    expect(page).to.not.match(/<script|<[^>]*\s(on\w+|style|src)=/)
    expect(page).to.not.match(/href="(https?:)?\/\//)
    expect(headers.get('content-type')).to.equal('text/html; charset=utf-8')
    expect(headers.get('content-security-policy'))
      .to.contain("default-src 'none'; style-src 'self'")
      .and.contain("frame-ancestors 'none'")
    const style = await fetch(new URL('docs.css', `${address}/docs`))
    expect(style.status).to.equal(200)
    expect(style.headers.get('content-type')).to.contain('text/css')
    expect(await style.text()).to.not.match(/url\(|@import/)
  })

  it('links to the OpenAPI document', async () => {
    const document = await (await fetch(`${address}/openapi.json`)).json()
    expect(document).to.have.property('openapi').that.matches(/^3\.1/)
    expect(page).to.contain('href="openapi.json"')
  })

  it('escapes the base URL', async () => {
    const other = await serve('https://x/<b>')
    const text = await (await fetch(`${other.address}/docs`)).text()
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

async function serve(at: string): Promise<{ server: Server; address: string }> {
  const app = new Koa()
  app.use(securityHeaders(at))
  app.use(docsRouter(at).routes())
  const server = createServer(app.callback())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { server, address: `http://127.0.0.1:${(server.address() as { port: number }).port}` }
}

function plain(markup: string): string {
  return markup.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}
