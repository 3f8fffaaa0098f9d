import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { expect } from 'chai'
import Koa from 'koa'
import { packagesRouter } from '#server/pages/packages/packages-router.ts'
import type { ProjectDetail } from '#server/pages/packages/released.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { sendRaw } from '../../harness/raw-http.ts'
import { useOpened } from '../../harness/use-opened.ts'

const baseUrl = 'https://age.example/api'
const abbreviated = 'application/vnd.npm.install-v1+json'
const simpleJson = 'application/vnd.pypi.simple.v1+json'

const notFound = `/npm/ /npm /npm/koa /npm/@age-verification%2fother /npm/@age-verification%2fclient/9.9.9
  /npm/@age-verification/client/-/client-9.9.9.tgz /npm/..%2f..%2fpackage.json /npm/npm.json /npm/%zz
  /npm/__proto__ /npm/constructor /npm/-/npm/v1/security/advisories/bulk /simple/httpx/
  /simple/age-verification/age_verification.whl /simple/simple.json /simple/%zz/`.split(/\s+/)

describe('The packages at /npm and /simple', () => {
  const server = useOpened(async () => {
    const app = new Koa()
    app.use(packagesRouter(baseUrl).routes())
    const { url, close } = await listenLocally(createServer(app.callback()))
    return { address: url, close }
  })
  const get = async (path: string, accept = '*/*') =>
    await fetch(`${server.address}${path}`, {
      headers: { accept, 'accept-encoding': 'identity' },
      redirect: 'manual',
    })
  // biome-ignore lint/suspicious/noExplicitAny: what package managers read, which the tests judge
  const getJson = async (path: string, accept?: string): Promise<any> =>
    await (await get(path, accept)).json()

  it('are one npm package, with ranges, times and checksums, however its name is encoded', async () => {
    const packument = await getJson('/npm/@age-verification%2fclient')
    expect(packument).to.include({ name: '@age-verification/client', license: 'Apache-2.0' })
    expect(packument.versions['1.0.0']).to.deep.include({
      name: '@age-verification/client',
      version: '1.0.0',
      engines: { node: '>=20' },
      peerDependencies: { jose: '^6.1.0' },
      peerDependenciesMeta: { jose: { optional: true } },
    })
    expect(packument.versions).to.have.property(packument['dist-tags'].latest)
    expect(packument.time).to.include.keys('created', 'modified', ...Object.keys(packument.versions))
    for (const name of [
      '@age-verification%2Fclient',
      '@age-verification/client',
      '%40age-verification%2Fclient',
    ])
      expect(await getJson(`/npm/${name}`)).to.deep.equal(packument)
  })

  it('have an abbreviated form, which npm asks for to install, with all that it needs', async () => {
    const response = await get(
      '/npm/@age-verification%2fclient',
      `${abbreviated}; q=1.0, application/json; q=0.8, */*`,
    )
    expect(response.headers.get('content-type')).to.equal(abbreviated)
    expect(response.headers.get('vary')).to.contain('Accept')
    const document = JSON.parse(await response.text())
    expect(document).to.have.all.keys('name', 'dist-tags', 'modified', 'time', 'versions')
    expect(document.versions['1.0.0']).to.have.all.keys(
      'name',
      'version',
      'engines',
      'peerDependencies',
      'peerDependenciesMeta',
      'dist',
    )
    const { versions } = await getJson('/npm/@age-verification%2fclient', 'application/json')
    expect(document.versions['1.0.0'].dist).to.deep.equal(versions['1.0.0'].dist)
  })

  it('have a document of each version and tag, and answer a ping', async () => {
    const { versions, 'dist-tags': tags } = await getJson('/npm/@age-verification%2fclient')
    expect(await getJson('/npm/@age-verification%2fclient/1.0.0')).to.deep.equal(versions['1.0.0'])
    expect(await getJson('/npm/@age-verification/client/latest')).to.deep.equal(versions[tags.latest])
    expect(await getJson('/npm/-/ping')).to.deep.equal({})
  })

  it('have tarballs at the addresses of npm’s own registry, which never change', async () => {
    const { versions } = await getJson('/npm/@age-verification%2fclient')
    for (const [version, { dist }] of Object.entries<{ dist: Record<string, string> }>(versions)) {
      expect(dist.tarball).to.equal(`${baseUrl}/npm/@age-verification/client/-/client-${version}.tgz`)
      for (const path of [
        dist.tarball!.slice(baseUrl.length),
        `/npm/@age-verification%2fclient/-/client-${version}.tgz`,
      ]) {
        const { status, headers, bytes } = await download(path)
        expect([status, headers.get('content-type'), headers.get('content-encoding')]).to.deep.equal([
          200,
          'application/octet-stream',
          null,
        ])
        expect(headers.get('cache-control')).to.equal('public, max-age=31536000, immutable')
        expect(`sha512-${createHash('sha512').update(bytes).digest('base64')}`).to.equal(dist.integrity)
      }
    }
  })

  const download = async (path: string) => {
    const response = await get(path)
    return {
      status: response.status,
      headers: response.headers,
      bytes: Buffer.from(await response.arrayBuffer()),
    }
  }

  it('are a Python project by PEP 503, with files of checksums and versions of Python', async () => {
    const response = await get('/simple/age-verification/', 'text/html')
    expect(response.headers.get('content-type')).to.match(/^text\/html/)
    const page = await response.text()
    const links = [
      ...page.matchAll(
        /<a href="\.\.\/\.\.\/docs\/downloads\/(.+)#sha256=(\w{64})" data-requires-python="&gt;=3.9">(.+)<\/a>/g,
      ),
    ]
    expect(links.length).to.be.greaterThan(1)
    const { files } = await getJson('/simple/age-verification/', simpleJson)
    expect(links.map(([, path, sha256, name]) => [path, sha256, name])).to.deep.equal(
      files.map((file: ProjectDetail['files'][0]) => [file.filename, file.hashes.sha256, file.filename]),
    )
    expect(await (await get('/simple/')).text()).to.contain(
      '<a href="age-verification/">age-verification</a>',
    )
  })

  it('are in JSON for who likes that best, as pip and uv do', async () => {
    const accept = `${simpleJson}, application/vnd.pypi.simple.v1+html; q=0.1, text/html; q=0.01`
    const response = await get('/simple/age-verification/', accept)
    expect(response.headers.get('content-type')).to.equal(simpleJson)
    const { meta, name, versions, files } = JSON.parse(await response.text())
    expect({ meta, name }).to.deep.equal({ meta: { 'api-version': '1.1' }, name: 'age-verification' })
    const { projects } = await getJson('/simple/', accept)
    expect(projects).to.deep.equal([{ name: 'age-verification' }])
    for (const version of versions) {
      const ends = files
        .map(({ filename }: { filename: string }) => filename)
        .filter((filename: string) => filename.startsWith(`age_verification-${version}`))
        .map((filename: string) => filename.replace(/^age_verification-\d+\.\d+\.\d+/, ''))
      expect(ends).to.have.members(['-py3-none-any.whl', '.tar.gz'])
    }
  })

  for (const [path, location] of [
    ['/simple', '/simple/'],
    ['/simple/age-verification', '/simple/age-verification/'],
    ['/simple/age_verification/', '/simple/age-verification/'],
    ['/simple/Age.-Verification', '/simple/age-verification/'],
  ]) {
    it(`redirect from ${path} to the address with a slash and the normalized name`, async () => {
      const { status, headers } = await get(path!)
      expect([status, headers.get('location')]).to.deep.equal([301, `${baseUrl}${location}`])
    })
  }

  it('are no mirror: other packages, versions and files are not found, and nothing outside of the folder', async () => {
    for (const path of notFound) expect((await get(path)).status, path).to.equal(404)
  })

  it('are cached, and revalidated in each form', async () => {
    for (const [path, accept] of [
      ['/npm/@age-verification%2fclient', abbreviated],
      ['/npm/@age-verification%2fclient', 'application/json'],
      ['/simple/age-verification/', simpleJson],
    ] as const) {
      const { headers } = await get(path, accept)
      expect(headers.get('cache-control')).to.equal('public, max-age=300')
      const again = async (type: string) => {
        const fields = `Host: localhost\r\nAccept: ${type}\r\nIf-None-Match: ${headers.get('etag')}`
        return (await sendRaw(server.address, `GET ${path} HTTP/1.1\r\n${fields}\r\n\r\n`)).status
      }
      expect(await again(accept)).to.equal(304)
      if (accept !== 'application/json') expect(await again('text/html, */*;q=0.1')).to.equal(200)
    }
  })
})
