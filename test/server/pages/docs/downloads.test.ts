import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { describeDownloads } from '#server/pages/docs/downloads.ts'
import { sharedResource } from '../../../harness/run/shared-resources.ts'
import { useOpened } from '../../../harness/use-opened.ts'
import { serveDocs } from './serve-docs.ts'

describe('The downloads at /docs/downloads', function () {
  this.timeout(60_000)
  const docs = useOpened(async () => {
    await sharedResource('built')
    return await serveDocs('https://age.example/api')
  })
  let page: string
  let names: string[]
  before(async () => {
    page = await (await fetch(`${docs.address}/docs/downloads`)).text()
    names = [...page.matchAll(/<a href="..\/docs\/downloads\/([^"]+)">/g)].map(([, name]) => name!)
  })

  const download = async (name: string) => {
    const response = await fetch(`${docs.address}/docs/downloads/${name}`)
    expect(response.status, name).to.equal(200)
    return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  it('are both clients, the types of the console API, the test vectors, and their checksums', () => {
    expect(names.map(name => name.replace(/^age.*\.(tgz|tar\.gz)$/, '*.$1'))).to.deep.equal([
      'SHA256SUMS',
      '*.tgz',
      '*.tar.gz',
      'api-keys.json',
      'console-api.d.ts',
      'options.json',
      'responses.json',
      'tokens.json',
      'webhook-signatures.json',
    ])
    const plain = page.replace(/<\/?span[^>]*>/g, '')
    for (const [program, end] of [
      ['npm', '.tgz'],
      ['pip', '.tar.gz'],
    ] as const) {
      const name = names.find(name => name.endsWith(end))
      expect(plain).to.contain(`${program} install https://age.example/api/docs/downloads/${name}`)
    }
  })

  it('have the size and the SHA-256 that the page and SHA256SUMS say, and are saved as files', async () => {
    const sums = (await download('SHA256SUMS')).bytes.toString()
    for (const name of names) {
      const { bytes, headers } = await download(name)
      const checksum = createHash('sha256').update(bytes).digest('hex')
      expect(page).to.contain(`<td>${bytes.length.toLocaleString('en')}</td>`)
      if (name !== 'SHA256SUMS') {
        expect(sums).to.contain(`${checksum}  ${name}\n`)
        expect(page).to.contain(`${checksum}  ${name}`)
      }
      expect(headers.get('content-type')).to.equal('application/octet-stream')
      expect(headers.get('content-disposition')).to.equal(`attachment; filename="${name}"`)
    }
  })

  it('include the test vectors as they are', async () => {
    const { bytes } = await download('tokens.json')
    expect(bytes.equals(readFileSync('clients/test-vectors/tokens.json'))).to.equal(true)
  })

  it('are nothing else of the folder or outside of it', async () => {
    for (const name of ['none.tgz', '..%2Ftypescript%2Fpackage.json', '%2e%2e%2fREADME.md'])
      expect((await fetch(`${docs.address}/docs/downloads/${name}`)).status, name).to.equal(404)
  })

  it('are missing with a sentence where they were not built', () => {
    expect(describeDownloads([], 'https://age.example')).to.contain('its operator has to run `npm run build`')
  })
})
