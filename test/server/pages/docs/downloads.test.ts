import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { documentedEndpoints, enabled } from '#rest/router.ts'
import { Asset } from '#server/pages/dashboard/asset.ts'
import { describeDownloads } from '#server/pages/docs/downloads.ts'
import { collectionName, postmanCollection } from '#server/pages/docs/postman-collection.ts'
import { useOpened } from '../../../harness/use-opened.ts'
import { serveDocs } from './serve-docs.ts'

describe('The downloads at /docs/downloads', function () {
  this.timeout(60_000)
  const docs = useOpened(() => serveDocs('https://age.example/api'))
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

  it('are every released client, requests for Postman, the test vectors, and the checksums of all', () => {
    const vectors = [
      'api-keys.json',
      'evidence.json',
      'options.json',
      'responses.json',
      'token-ages.json',
      'tokens.json',
      'webhook-signatures.json',
    ]
    const released = readdirSync('clients/released').filter(name => !name.endsWith('.json'))
    expect(released).to.include('age-verification-client-1.0.0.tgz')
    expect(names).to.have.members([...vectors, ...released, collectionName, 'SHA256SUMS'])
  })

  it('have the size and the SHA-256 that the page and SHA256SUMS say, are saved as files, and if released for ever', async () => {
    const sums = (await download('SHA256SUMS')).bytes.toString()
    for (const name of names) {
      const { bytes, headers } = await download(name)
      const checksum = createHash('sha256').update(bytes).digest('hex')
      if (name !== 'SHA256SUMS') {
        expect(sums).to.contain(`${checksum}  ${name}\n`)
        expect(page).to.contain(`${checksum}  ${name}`)
      }
      const isReleased = /\.(tgz|gz|whl)$/.test(name)
      if (!isReleased) expect(page).to.contain(`<td>${bytes.length.toLocaleString('en')}</td>`)
      expect(headers.get('cache-control')).to.equal(
        isReleased ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      )
      expect(headers.get('content-type')).to.equal('application/octet-stream')
      expect(headers.get('content-disposition')).to.equal(`attachment; filename="${name}"`)
    }
  })

  it('include requests to a service without test tenants, none of which chooses an outcome or expects one', () => {
    const endpoints = enabled(documentedEndpoints, { testTenants: false })
    const collection = postmanCollection('https://age.example/api', endpoints)
    expect(collection).to.contain('"value": "https://age.example/api"').and.contain('/verify/start')
    expect(collection).not.to.match(/outcome|over18":true|test tenant/)
  })

  it('include the test vectors as they are', async () => {
    const { bytes } = await download('tokens.json')
    expect(bytes.equals(readFileSync('clients/test-vectors/tokens.json'))).to.equal(true)
  })

  it('are nothing else of the folder or outside of it', async () => {
    for (const name of ['none.tgz', '..%2Ftypescript%2Fpackage.json', '%2e%2e%2fREADME.md'])
      expect((await fetch(`${docs.address}/docs/downloads/${name}`)).status, name).to.equal(404)
  })

  it('say that the names mean this service, and which versions are older', () => {
    const earlier = new Asset('/docs/downloads/age-verification-client-1.9.0.tgz', Buffer.from('1'))
    const newest = new Asset('/docs/downloads/age-verification-client-1.10.0.tgz', Buffer.from('22'))
    const markdown = describeDownloads([earlier, newest], 'https://age.example/api')
    expect(markdown).to.contain(
      '| [age-verification-client-1.10.0.tgz](downloads/age-verification-client-1.10.0.tgz) |',
    )
    expect(markdown).not.to.contain('| [age-verification-client-1.9.0.tgz]')
    expect(markdown).to.match(/## Earlier versions\n[^#]*\[age-verification-client-1\.9\.0\.tgz\]\(downloads/)
    const plain = page.replace(/<\/?span[^>]*>/g, '')
    expect(plain).to.contain('@age-verification:registry=https://age.example/api/npm/')
    expect(plain).to.match(
      /pip install .{1,6}age-verification @ https:\/\/age\.example\/api\/docs\/downloads\/age_verification-[\d.]+-py3/,
    )
    expect(page).to.contain('what has its name there is somebody else')
  })
})
