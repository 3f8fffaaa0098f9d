import { expect } from 'chai'
import { CachedDocument, type LoadedDocument } from '#clients/typescript/src/offline/cached-document.ts'
import { errorOf } from './scripted-fetch.ts'

describe('A cached document', () => {
  it('is loaded again once it is stale', async () => {
    const { document, loaded } = documentOf({ freshMs: 0, usableMs: 0 })
    expect(await document.current()).to.equal(1)
    expect(await document.current()).to.equal(2)
    expect(loaded()).to.equal(2)
  })

  it('is served stale while it can not be loaded and is usable', async () => {
    const { document, fail } = documentOf({ freshMs: 0, usableMs: 60_000 })
    await document.current()
    fail()
    expect(await document.current()).to.equal(1)
  })

  it('is not served any more when it is not usable', async () => {
    const { document, fail } = documentOf({ freshMs: 0, usableMs: 0 })
    await document.current()
    fail()
    expect(await errorOf(document.current())).to.include({ message: 'not available' })
  })

  it('is not loaded again by each caller while that fails', async () => {
    const { document, fail, loaded } = documentOf({ freshMs: 0, usableMs: 60_000 })
    await document.current()
    fail()
    for (let times = 0; times < 5; times++) await document.current()
    expect(loaded()).to.equal(2)
  })

  it('is not renewed while it is recent', async () => {
    const { document, loaded } = documentOf({ freshMs: 0, usableMs: 0 })
    await document.current()
    expect(await document.renewed()).to.equal(1)
    expect(loaded()).to.equal(1)
  })
})

/** A document whose value is how often it was loaded. */
function documentOf(lifetime: Omit<LoadedDocument<number>, 'value'>) {
  let isFailing = false
  let count = 0
  const document = new CachedDocument(async () => {
    count++
    if (isFailing) throw new Error('not available')
    return { value: count, ...lifetime }
  })
  const fail = () => {
    isFailing = true
  }
  return { document, fail, loaded: () => count }
}
