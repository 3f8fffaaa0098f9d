/** Everything that other folders use of the connections to PostgreSQL. */
export { type CertificateExpiries, certificateExpiries } from './certificate-expiries.ts'
export { connect, connectPersistently } from './connect.ts'
export { type ConnectionOptions, connectionOptions } from './connection-options.ts'
export { assertPoolerUsable, PoolerError } from './connection-pooler.ts'
export { ConnectionUrlError } from './connection-url.ts'
export type { ServerClient } from './server-client.ts'
export { assertWritable, ServerRoleError, serverRoleQuery } from './server-role.ts'
export { watchConnections } from './watch-connections.ts'
