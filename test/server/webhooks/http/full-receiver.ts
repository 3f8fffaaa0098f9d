import { type AddressInfo, createServer } from 'node:net'

/** Runs in a separate process: listens with a backlog of one connection, and sends its port to the parent. */
const server = createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
  process.send?.((server.address() as AddressInfo).port)
})
