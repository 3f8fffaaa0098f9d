import { inspect } from 'node:util'

const rejections: unknown[] = []
const keep = (error: unknown) => void rejections.push(error)

/**
 * Fails after a test in which a promise was rejected and nobody handled it, as such a rejection ends the service. Mocha
 * would ignore it. Its worker processes remove all listeners after each file.
 */
export const mochaHooks = {
  beforeAll() {
    process.on('unhandledRejection', keep)
  },
  afterEach: failIfUnhandled,
  afterAll() {
    process.off('unhandledRejection', keep)
    failIfUnhandled()
  },
}

function failIfUnhandled(): void {
  const [first] = rejections.splice(0)
  if (first !== undefined) throw new Error(`A rejected promise was not handled: ${inspect(first)}`)
}
