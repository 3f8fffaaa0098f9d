/** Everything that other folders use of the connections to PostgreSQL. */
export { connect } from './connect.ts'
export { type ConnectionOptions, ConnectionUrlError, connectionOptions } from './connection-options.ts'
export { longDeadlineMs } from './deadline.policy.ts'
export { createProbe, refusalProbe } from './probe.ts'
export type { ServerClient } from './server-client.ts'
export { ServerRoleError, serverRoleQuery } from './server-role.ts'
export { prepareSession, setSettings } from './session-settings.ts'
export { observePool, type StatementObserver } from './statement-observer.ts'
