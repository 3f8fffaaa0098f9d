import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect } from 'chai'
import { useOpened } from '../../../harness/use-opened.ts'
import { serveDocs } from './serve-docs.ts'

describe('The downloads at /docs/downloads', function () {
  this.timeout(60_000)
  const docs = useOpened(() => serveDocs('https://age.example/api'))
  const get = (name: string) => fetch(`${docs.address}/docs/downloads/${name}`)

  it('are the clients and the test vectors, each saved as a file with the checksum of SHA256SUMS', async () => {
    const files = globSync('clients/{released/*,test-vectors/*.json}')
    const sums = (await (await get('SHA256SUMS')).text()).trim().split('\n')
    expect(sums).to.have.length(files.length)
    for (const file of files) {
      const response = await get(basename(file))
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(bytes.equals(readFileSync(file)), file).to.equal(true)
      expect(sums).to.contain(`${createHash('sha256').update(bytes).digest('hex')}  ${basename(file)}`)
      expect(response.headers.get('content-type')).to.equal('application/octet-stream')
      expect(response.headers.get('content-disposition')).to.equal(`attachment; filename="${basename(file)}"`)
    }
  })

  it('are named by the documents in the version that there is', () => {
    const released = globSync('clients/released/*').map(file => basename(file))
    const documents = globSync(['*.md', 'docs/*.md', 'clients/*/README.md'])
    const named = documents.flatMap(
      file => readFileSync(file, 'utf8').match(/[\w-]+\d\.\d\.\d[\w.-]*\.(tgz|whl)\b/g) ?? [],
    )
    expect(new Set(named)).to.deep.equal(new Set(released))
  })

  it('are nothing else of the folder or outside of it', async () => {
    for (const name of ['none.tgz', 'README.md', '..%2Ftypescript%2Fpackage.json', '%2e%2e%2fREADME.md'])
      expect((await get(name)).status, name).to.equal(404)
  })
})
