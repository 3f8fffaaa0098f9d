import { expect } from 'chai'
import { pageUrl, readGroups } from '#server/pages/docs/documents.ts'
import { renderMarkdown } from '#server/pages/docs/render-markdown.ts'
import { sendRaw } from '../../../harness/raw-http.ts'
import { useOpened } from '../../../harness/use-opened.ts'
import { serveDocs } from './serve-docs.ts'

const paths = readGroups().flatMap(({ documents }) => documents.map(({ name }) => `/${pageUrl(name, '')}`))

describe('The documentation at /docs', () => {
  const docs = useOpened(() => serveDocs('https://age.example/api'))
  let address: string
  const pages = new Map<string, { text: string; headers: Headers }>()
  before(async () => {
    address = docs.address
    for (const path of [...paths, '/docs/search?q=webhook%20signature']) {
      const response = await fetch(`${address}${path}`)
      expect(response.status, path).to.equal(200)
      pages.set(path.split('?')[0]!, { text: await response.text(), headers: response.headers })
    }
  })

  for (const path of [...paths, '/docs/search']) {
    it(`${path} has no script or style inside, loads nothing from another host, and cannot be framed`, () => {
      const { text, headers } = pages.get(path)!
      expect(text).to.not.match(/<style|<[^>]*\s(on\w+|style)=|<img[^>]*src="(https?:)?\/\//)
      expect(text.match(/<script.*?>/g)).to.have.length(1)
      expect(text).to.match(/<script src="(\.\.\/)?docs\.js"><\/script>/)
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8')
      const policy = headers.get('content-security-policy')
      expect(policy).to.match(/^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self';/)
      expect(policy).to.contain("frame-ancestors 'none'").and.not.contain('unsafe')
    })

    it(`${path} links only to pages, headings, images and files that exist`, async () => {
      const { text } = pages.get(path)!
      const urls = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url]) => url!)
      const own = urls
        .filter(url => !/^(https?|data):/.test(url))
        .map(url => new URL(url, `${address}${path}`))
      expect(own.length).to.be.greaterThan(paths.length)
      for (const url of own) await expectTarget(url)
    })
  }

  async function expectTarget({ pathname, hash }: URL): Promise<void> {
    const page = pages.get(pathname)
    if (!page) return expect((await fetch(`${address}${pathname}`)).status, pathname).to.equal(200) as never
    if (hash) expect(page.text, `${pathname}${hash}`).to.contain(` id="${hash.slice(1)}"`)
  }

  it('is cached, compressed and revalidated', async () => {
    const { headers } = await fetch(`${address}/docs/errors`, { headers: { 'accept-encoding': 'br' } })
    expect(headers.get('cache-control')).to.equal('public, max-age=300')
    expect(headers.get('content-encoding')).to.equal('br')
    // `fetch` would ask for an uncached response.
    const fields = `Host: localhost\r\nAccept-Encoding: br\r\nIf-None-Match: ${headers.get('etag')}`
    const again = await sendRaw(address, `GET /docs/errors HTTP/1.1\r\n${fields}\r\n\r\n`)
    expect([again.status, again.body]).to.deep.equal([304, ''])
  })

  const get = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(`${address}${path}`, { headers })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  const search = async (query: string) =>
    (await fetch(`${address}/docs/search?${new URLSearchParams({ q: query })}`)).text()

  it('finds sections by words, beginnings of words and misspelt words, the best first', async () => {
    const link = '<li><a href="../docs/webhooks#signatures">Webhooks: Signatures</a>'
    expect(await search('rotate secret')).to.contain(link)
    for (const query of ['signatures', 'signat', 'sigantures']) {
      const [, first] = (await search(query)).split('<ol class="results">\n')
      expect(first?.startsWith(`${link} <span class="soft">X-Webhook-Signature is`), query).to.equal(true)
    }
    expect(await search('xylophone')).to.contain('<p role="status">No results</p>')
  })

  it('escapes a query, ignores the excess of a long one, and takes none at all', async () => {
    expect(await search('"><script>alert(1)</script>')).to.contain('value="&quot;&gt;&lt;script&gt;alert')
    expect(await search(`webhooks ${'webhooks '.repeat(500)}`)).to.contain('15 results')
    for (const query of ['', '?q=', '?q=a&q=b']) {
      const { status, headers } = await fetch(`${address}/docs/search${query}`)
      expect([status, headers.get('cache-control')], query).to.deep.equal([200, 'no-store'])
    }
  })

  it('has no other pages, and no files outside its folder', async () => {
    for (const path of [
      '/docs/none',
      '/docs/README',
      '/docs/README.md',
      '/docs/search.md',
      '/docs/images/..%2Ferrors.md',
      '/docs/errors/',
    ]) {
      expect((await fetch(`${address}${path}`)).status, path).to.equal(404)
    }
  })

  const markdown = 'text/markdown; charset=utf-8'

  for (const path of paths) {
    it(`${path} is Markdown at ${path}.md and for programs that prefer it, with absolute links to Markdown`, async () => {
      const { text, headers } = pages.get(path)!
      const url = `https://age.example/api${path}.md`
      expect(text).to.contain(`<link rel="alternate" type="text/markdown" href="${url}">`)
      expect(headers.get('link')).to.equal(`<${url}>; rel="alternate"; type="text/markdown"`)
      const file = await get(`${path}.md`, {})
      expect([file.status, file.headers.get('content-type')]).to.deep.equal([200, markdown])
      const preferred = await get(path, { accept: 'text/markdown, text/html, */*' })
      expect(preferred.text).to.equal(file.text)
      for (const one of [headers, preferred.headers])
        expect(one.get('vary')).to.equal('Accept, Accept-Encoding')
      const links = [...withoutCode(file.text).matchAll(/\]\((?!#)([^)\s]+)\)/g)].map(([, href]) => href!)
      for (const href of links) await expectDocument(href)
    })
  }

  /** Another host's, or what the service has; a page is linked to as Markdown. */
  async function expectDocument(href: string): Promise<void> {
    const [, own] = /^https:\/\/age\.example\/api(\/\S*)$/.exec(href) ?? []
    if (own === undefined) return expect(href).to.match(/^https?:\/\/(?!age\.example)/) as never
    const [path = '', hash] = own.split('#')
    expect(pages.has(path), href).to.equal(false)
    const page = pages.get(path.replace(/\.md$/, ''))
    if (hash !== undefined && page) expect(page.text).to.contain(` id="${hash}"`)
    expect((await fetch(`${address}${path}`)).status, href).to.equal(200)
  }

  it('lists every page at /llms.txt, after what everybody has to know', async () => {
    const { status, headers, text } = await get('/llms.txt', {})
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'text/plain; charset=utf-8'])
    expect(text).to.match(
      /^# Age Verification Service\n\n> Verify that a person is 18 or over, [^\n]+\n\n\*\*Approved /,
    )
    const listed = [...text.matchAll(/^- \[.+?\]\((\S+)\): \S/gm)].map(([, url]) => url!)
    const expected = paths.map(path => `https://age.example/api${path}.md`)
    const files = ['openapi.json', 'practice-statement.json'].map(file => `https://age.example/api/${file}`)
    expect(listed).to.have.members([...expected, ...files])
    expect(text.match(/^- /gm)).to.have.length(listed.length)
    const other = await fetch(`${address}/docs/llms.txt`, { redirect: 'manual' })
    expect(other.headers.get('location')).to.equal('https://age.example/api/llms.txt')
  })

  it('escapes what it renders, and refuses HTML in a document', () => {
    const render = (text: string) => renderMarkdown(`# <b\n${text}`, href => href).content.markup
    expect(render('`<b>` & "c"')).to.equal(
      '<h1>&lt;b</h1>\n<p><code>&lt;b&gt;</code> &amp; &quot;c&quot;</p>\n',
    )
    expect(render('```text\n<b>\n```')).to.contain('<code>&lt;b&gt;</code>')
    expect(render('```js\n"<b>"\n```')).to.contain('<span class="str">&quot;&lt;b&gt;&quot;</span>')
    expect(render('[a](http://x?"><b>)')).to.not.contain('<b>')
    expect(() => render('a <b>c</b>')).to.throw('cannot contain HTML')
    expect(() => render('<div>\n</div>')).to.throw('cannot contain HTML')
  })
})

/** The text of Markdown without its blocks and spans of code. */
function withoutCode(text: string): string {
  return text.replace(/^```.*?^```$/gms, '').replace(/`[^`]*`/g, '')
}
