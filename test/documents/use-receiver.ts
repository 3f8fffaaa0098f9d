import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { signEvent } from '#domain/webhook/signature.policy.ts'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from '../harness/eventually.ts'

export interface ReceiverOptions {
  program: string
  file: string
  folder: string
  env: Record<string, string>
}

export interface SampleReceiver {
  /** Sends an event that is signed with this secret, or has another signature; returns the status. */
  post(body: string, secret: string, signature?: string): Promise<number>
  /** Waits until it has printed so many lines since the last call, and returns them. */
  printed(count: number): Promise<string[]>
}

/** Runs a sample receiver during the surrounding suite. */
export function useReceiver(options: () => Promise<ReceiverOptions>): SampleReceiver {
  let receiver: ChildProcess
  let url: string
  let output = ''
  const post = async (body: string, secret: string, signature = signEvent(body, secret)) => {
    const headers = { 'x-webhook-signature': signature }
    return (await fetch(url, { method: 'POST', body, headers })).status
  }
  before('start the receiver', async () => {
    const { program, file, folder, env } = await options()
    const port = await freePort()
    url = `http://127.0.0.1:${port}/webhooks`
    receiver = spawn(program, [file], { cwd: folder, env: { ...env, PORT: String(port) } })
    receiver.stdout?.setEncoding('utf8').on('data', text => {
      output += text
    })
    await eventually(async () => (await post('', 'none')) === 401)
  })
  after('stop the receiver', async () => {
    receiver.kill()
    await once(receiver, 'close')
  })
  return {
    post,
    async printed(count) {
      const lines = () => output.trim().split('\n')
      const printed = await eventually(lines, { until: all => all.length === count })
      output = ''
      return printed
    },
  }
}
