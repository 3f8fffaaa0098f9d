import { inspect } from 'node:util'
import { expect } from 'chai'
import { AgeVerificationClient } from '#clients/typescript/src/index.ts'
import { clientWith, completedFields, errorOf, errorResponse, statusResponse } from './scripted-fetch.ts'

type Hook = (event: object) => unknown

const thrower: Hook = () => {
  throw new Error('metrics down')
}

const faults: Record<string, Hook> = {
  throw: thrower,
  'return a promise that rejects': async () => {
    throw new Error('metrics down')
  },
  'return what has a then that throws': () => Object.fromEntries([['then', thrower]]),
  'return a promise that is never settled': () => new Promise(() => {}),
}

describe('Hooks of the TypeScript client', () => {
  const { error: consoleError } = console
  const { setTimeout } = globalThis
  let logged: string[]
  beforeEach(() => {
    logged = []
    console.error = (...parts: unknown[]) => void logged.push(parts.map(part => inspect(part)).join(' '))
    const atOnce = (callback: () => void, ms: number) => setTimeout(callback, ms === 1_000 ? 0 : ms)
    globalThis.setTimeout = atOnce as typeof setTimeout
  })
  afterEach(() => {
    console.error = consoleError
    globalThis.setTimeout = setTimeout
  })

  for (const [name, hook] of Object.entries(faults)) {
    it(`that ${name} change no outcome, and are logged`, async () => {
      const completed = statusResponse('approved', completedFields)
      const { options, requests } = clientWith(errorResponse(503, 'REDIS_ERROR'), completed)
      const client = new AgeVerificationClient({ ...options, onRequest: hook, onResponse: hook })
      expect(await client.status('v')).to.include({ over18: true })
      expect(requests).to.have.length(2)
      expect(await client.waitForCompletion('v', { onStatus: hook })).to.include({ over18: true })
      for (const hookName of ['onRequest', 'onResponse', 'onStatus'])
        expect(logged.filter(line => line.includes(`${hookName} has failed`))).not.to.deep.equal([])
      const failing = clientWith(errorResponse(404, 'VERIFICATION_NOT_FOUND')).options
      const refused = new AgeVerificationClient({ ...failing, onRequest: hook, onResponse: hook })
      expect(await errorOf(refused.status('v'))).to.include({ code: 'VERIFICATION_NOT_FOUND' })
    })
  }

  it('are awaited, so that a call does not return before they end', async () => {
    const { options } = clientWith(statusResponse('pending'))
    const seen: string[] = []
    async function later(event: object) {
      for (let turn = 0; turn < 10; turn++) await undefined
      seen.push('durationMs' in event ? 'response' : 'request')
    }
    await new AgeVerificationClient({ ...options, onRequest: later, onResponse: later }).status('v')
    expect(seen).to.deep.equal(['request', 'response'])
    expect(logged).to.deep.equal([])
  })
})
