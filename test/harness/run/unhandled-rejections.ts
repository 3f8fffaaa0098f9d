import { inspect } from 'node:util'

const rejections: unknown[] = []
const keep = (error: unknown) => void rejections.push(error)

process.on('unhandledRejection', keep)
// Mocha's worker processes remove all listeners after each file.
process.on('removeListener', (event, listener) => {
  if (event === 'unhandledRejection' && listener === keep) process.on(event, keep)
})

/**
 * Fails after a test in which a promise was rejected and nobody handled it, as such a rejection ends the service. Mocha
 * would ignore it.
 */
export const mochaHooks = {
  /** What was rejected after the end of the file before can't fail it any more, and is not this file's. */
  beforeAll() {
    for (const late of rejections.splice(0)) console.error('Rejected after the end of a test file:', late)
  },
  afterEach: failIfUnhandled,
  afterAll: failIfUnhandled,
}

function failIfUnhandled(): void {
  const [first] = rejections.splice(0)
  if (first !== undefined) throw new Error(`A rejected promise was not handled: ${inspect(first)}`)
}
