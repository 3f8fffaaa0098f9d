import { spawnSync } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import { expect } from 'chai'
import { newId } from '#domain/ids.ts'
import { useSamples } from '../../documents/samples.ts'
import { eventually } from '../../harness/eventually.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { describeWith, findPython } from '../../harness/system-program.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { runSample } from './run-sample.ts'

/** `ID` stands for that of the verification. */
interface Answer {
  status?: number
  retryAfter?: string
  body?: string
  isCut?: boolean
}

const at = '2026-01-31T12:00:00.000Z'
const times = { createdAt: at, completedAt: at }
const adult = {
  verificationId: 'ID',
  status: 'approved',
  confidence: 1,
  over18: true,
  ...times,
  token: 'eyJ',
}
const answer = (changes: object = {}): Answer => ({ body: JSON.stringify({ ...adult, ...changes }) })

/** Of a service that is away for a moment, or of a proxy that says so. */
const temporary: Answer[] = [
  { status: 503, retryAfter: 'soon, as a date' },
  { status: 503, retryAfter: 'Wed, 21 Oct 2015 07:28:00 GMT' },
  { status: 503, retryAfter: '0', body: '{"error":"maintenance"}' },
  { status: 502, retryAfter: '-1' },
  { status: 429, retryAfter: 'later' },
  { status: 500 },
  { body: '{', isCut: true },
]
/** Not about what was asked, with the status of success, or elsewhere. */
const foreign: Answer[] = ['{"status":"ok"}', '', 'null', '<h1>Welcome</h1>'].map(body => ({ body }))
foreign.push({ status: 302 })
const results = [{ verificationId: newId(new Date()) }, { completedAt: 1 }, { completedAt: true }].map(answer)

const [node, python] = [process.execPath, findPython('httpx') ?? 'python3']
const inNode = (code: string) => `${node} --input-type=module -e "
  const { SERVICE_URL: baseUrl, API_KEY: apiKey, ID } = process.env
  ${code}
  console.log(result.status, result.over18, result.token)"`
const waitInNode = inNode(`import { waitForCompletion } from './wait-for-completion.mjs'
  const result = await waitForCompletion(ID)`)
const waitByClient = inNode(`import { AgeVerificationClient } from '@age-verification/client'
  const result = await new AgeVerificationClient({ baseUrl, apiKey }).waitForCompletion(ID)`)
const waitInPython = `${python} -c "import os, age_verification
client = age_verification.Client(os.environ['SERVICE_URL'], os.environ['API_KEY'])
result = client.wait_for_completion(os.environ['ID'])
print(result.status, str(result.over18).lower(), result.token)"`

/** Shell commands, and what fails where a program is missing. */
const programs: [name: string, check: string, command: string][] = [
  ['Node', `${node} -v`, waitInNode],
  ['Go', 'go version', 'go run age_verification.go wait $ID'],
  ['PHP', "php -r 'curl_version();'", 'php age_verification.php wait $ID'],
  ['Ruby', 'ruby -v', 'ruby age_verification.rb wait $ID'],
  ['Java', 'javac -version', 'java AgeVerification.java wait $ID'],
  ['the TypeScript client', `${node} -v`, waitByClient],
  ['the Python client', `${python} -c 'import httpx'`, waitInPython],
]

describe('A program to copy, where something else than the service answers', function () {
  this.timeout(300_000)
  const folder = useSamples()
  const stub = useOpened(startStub)
  const isMissing = (check: string) => spawnSync('sh', ['-c', check]).status !== 0
  const running = new Map<string, ReturnType<typeof run>[]>()
  before('run all at the same time, because they pause', () => {
    for (const [name, check, command] of programs) {
      if (isMissing(check)) continue
      const odd = [...foreign, ...results]
      const series = isClient(name) ? [temporary, ...odd.map(each => [each])] : [[...temporary, ...odd]]
      const runs = series.map(answers => run(command, answers))
      running.set(name, runs)
    }
  })

  for (const [name, check] of programs) {
    describeWith([{ isMissing: isMissing(check), reason: `${check} fails` }], `in ${name}`, () => {
      it('pauses at least a second after each answer, and takes only the right one', async () => {
        for (const { answers, output, code, pausesMs } of await Promise.all(running.get(name)!)) {
          const fails = isClient(name) && answers !== temporary
          expect(Math.min(1000, ...pausesMs), output).to.be.above(990)
          expect(pausesMs, output).to.have.length(fails ? 0 : answers.length)
          expect(code, output).to.equal(fails ? 1 : 0)
          expect(/approved true eyJ\s*$/.test(output), output).to.equal(!fails)
        }
      })
    })
  }

  describeWith([{ isMissing: isMissing('curl -V && jq -V'), reason: 'no curl, jq' }], 'in a shell', () => {
    it('pauses at least a second after each answer, and goes on', async () => {
      const empty = { body: '{"events":[],"next":"1"}' }
      const { env, pausesMs } = stub.serve([empty, ...temporary, ...foreign], empty)
      const sample = runSample(['sh', 'listen.sh'], { ...env, FORWARD_TO: 'none' }, folder())
      await eventually(() => pausesMs.length > temporary.length + foreign.length + 1, { timeoutMs: 200_000 })
      await sample.stop()
      // It asks where to begin, and goes on from there at once.
      expect(Math.min(...pausesMs.slice(1))).to.be.above(990)
    })
  })

  async function run(command: string, answers: Answer[]) {
    const { env, pausesMs } = stub.serve(answers, answer())
    const sample = runSample(['sh', '-c', command], { HOME: process.env.HOME ?? '', ...env }, folder())
    const code = await sample.ended
    return { answers, output: sample.output(), code, pausesMs }
  }
})

/** Fails at an answer that is not the service's, where the others go on. */
function isClient(name: string): boolean {
  return name.endsWith(' client')
}

/** Something in place of the service. */
async function startStub() {
  const handlers = new Map<string, (response: ServerResponse) => void>()
  const server = createServer(({ url = '', headers }, response) => {
    const id = url.split('/')[1]!
    if (headers.host === `127.0.0.1:${port}`) handlers.get(id)!(response)
    else response.end(answer().body!.replace('ID', id))
  })
  const { url, port, close } = await listenLocally(server)
  return {
    close,
    /** Gives these answers in turn, and then the last one. `pausesMs`: from each answer to the next request. */
    serve(answers: readonly Answer[], last: Answer) {
      const id = newId(new Date())
      const remaining = [...answers]
      const pausesMs: number[] = []
      let answeredAt: number | undefined
      handlers.set(id, response => {
        if (answeredAt !== undefined) pausesMs.push(performance.now() - answeredAt)
        answeredAt = performance.now()
        const { status = 200, retryAfter, body = '<h1>Maintenance</h1>', isCut } = remaining.shift() ?? last
        const soon = new Date(Date.now() + 3_000).toUTCString()
        if (retryAfter) response.setHeader('retry-after', retryAfter.replace('soon, as a date', soon))
        response.setHeader('location', `http://localhost:${port}/${id}`) // Has the answer, for whoever follows.
        response.writeHead(status).write(body.replace('ID', id), () => isCut && response.destroy())
        if (!isCut) response.end()
      })
      return { env: { SERVICE_URL: `${url}/${id}`, API_KEY: 'avk_test_x', ID: id }, pausesMs }
    },
  }
}
