import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from '#server/start-error.ts'

/** Returns the bound `host:port`. Throws a `StartError` if it cannot listen. */
export function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', error =>
      reject(new StartError(`The webhook receiver cannot listen on ${host}:${port}: ${error.message}`)),
    )
    server.listen(port, host, () => {
      const bound = (server.address() as AddressInfo).port
      resolve(host.includes(':') ? `[${host}]:${bound}` : `${host}:${bound}`)
    })
  })
}

/** Stops listening and closes all connections. */
export function close(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
