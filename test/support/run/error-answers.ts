import { checkErrorAnswer } from '../check-error-answer.ts'

const fetchUnchecked = globalThis.fetch
const checks: Promise<unknown>[] = []

/** Fails after a test that received an error whose text or details are not ours, from any service that it called. */
export const mochaHooks = {
  beforeAll() {
    globalThis.fetch = async (...request) => {
      const response = await fetchUnchecked(...request)
      if (mayHaveErrors(response)) checks.push(check(response.clone()))
      return response
    }
  },
  afterEach: failIfWrong,
  async afterAll() {
    globalThis.fetch = fetchUnchecked
    await failIfWrong()
  },
}

/** The console answers a batch in which some calls failed with 207. */
function mayHaveErrors({ status, headers }: Response): boolean {
  return (status >= 400 || status === 207) && headers.get('content-type')?.includes('json') === true
}

/** The error of a check. An answer that was cut or is not JSON is no matter of this check. */
async function check(response: Response): Promise<unknown> {
  const body = await response.json().catch(() => undefined)
  try {
    checkErrorAnswer(body)
    return undefined
  } catch (error) {
    return error
  }
}

async function failIfWrong(): Promise<void> {
  const failure = (await Promise.all(checks.splice(0))).find(error => error !== undefined)
  if (failure) throw failure
}
