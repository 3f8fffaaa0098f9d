/** The program of an attacker, whose connections send the same bytes again after each response, or when they were closed. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface AttackOrder {
  origins: string[]
  seconds: number
  connections: number
  /** What each connection sends, in turn. */
  messages: string[]
  /** Whether a connection stays as it is after its first response. */
  staysIdle?: boolean
}

/** Connections from one address of the loopback interface; a process accepts no more than 1,000. */
const perAddress = 999
const pauseMs = 100

process.on('message', async (order: AttackOrder | string) => {
  if (typeof order === 'string') return
  const ending = new AbortController()
  for (let index = 0; index < order.connections; index++) attack(order, index, ending.signal)
  await sleep(order.seconds * 1_000)
  ending.abort()
  process.send!('over')
})

function attack(order: AttackOrder, index: number, ending: AbortSignal): void {
  if (ending.aborted) return
  const { hostname: host, port } = new URL(order.origins[index % order.origins.length]!)
  const localAddress = `127.0.0.${2 + Math.floor(index / perAddress)}`
  const socket = connect({ host, port: Number(port), localAddress })
  const send = () => socket.writable && socket.write(order.messages[index % order.messages.length]!)
  const end = () => socket.destroy()
  socket.once('connect', send).on('error', end).once('end', end)
  socket.on('data', () => order.staysIdle || setTimeout(send, pauseMs))
  ending.addEventListener('abort', end)
  socket.once('close', () => {
    ending.removeEventListener('abort', end)
    setTimeout(() => attack(order, index, ending), pauseMs)
  })
}
