import { expect } from 'chai'
import { errorsOf } from '#development/openapi/document.ts'
import { errorCatalogue } from '#domain/error-codes.ts'
import { statusOf } from '#rest/errors.ts'
import { documentedEndpoints } from '#rest/router.ts'
import { useOpened } from '../../../harness/use-opened.ts'
import { serveDocs } from './serve-docs.ts'

const baseUrl = 'https://age.example/api'

describe('The API reference at /docs/api', () => {
  const docs = useOpened(() => serveDocs(baseUrl))
  let page: string
  before(async () => {
    page = await (await fetch(`${docs.address}/docs/api`)).text()
  })

  /** What follows the heading with this id, with its tags but without the colours of code. */
  const sectionOf = (id: string) => plain(page.split(`id="${id}">`)[1]?.split(/<h[23] /)[0] ?? '')

  for (const endpoint of documentedEndpoints) {
    it(`documents ${endpoint.method} ${endpoint.path} with its summary, example and every error`, () => {
      const { method, path, operationId, summary } = endpoint
      const section = sectionOf(operationId)
      expect(section).to.contain(`<strong>${method}</strong> <code>${path}</code></h3>`)
      expect(section).to.contain(`<strong>${plain(summary)}</strong>`)
      for (const code of errorsOf(endpoint)) expect(section).to.contain(errorRow(code))
      if (endpoint.kind === 'tenant') {
        expect(section).to.contain(`${baseUrl}${path}`).and.contain('x-tenant-api-key: $API_KEY')
      } else {
        expect(section).to.contain('Doesn’t require an API key').and.not.contain('curl')
      }
    })
  }

  it('documents the webhook with its headers, fields, and an example', () => {
    const section = sectionOf('verificationCompleted')
    for (const name of [
      'X-Webhook-Signature',
      'X-Webhook-Event',
      'event',
      'data.verificationId',
      'data.status',
      'timestamp',
    ])
      expect(section).to.contain(`<code>${name}</code></th>`)
    expect(section).to.contain('Verify the signature').and.contain('"event": "verification.completed"')
  })

  it('escapes the base URL', async () => {
    const other = await serveDocs('https://x/<b>')
    const text = await (await fetch(`${other.address}/docs/api`)).text()
    await other.close()
    expect(text).to.contain('https://x/&lt;b&gt;').and.not.contain('<b>')
  })
})

function errorRow(code: keyof typeof statusOf): string {
  const link = `<a href="../docs/errors#${code.toLowerCase()}"><code>${code}</code></a>`
  return `<th>${link}</th>\n<td>${statusOf[code]}</td>\n<td>${errorCatalogue[code]}</td>`
}

function plain(markup: string): string {
  return markup
    .replace(/<\/?span[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
