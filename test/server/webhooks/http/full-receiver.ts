import { type AddressInfo, createServer } from 'node:net'

/** Run as a process of its own: listens with room for one waiting connection, and tells its port. */
const server = createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
  process.send?.((server.address() as AddressInfo).port)
})
