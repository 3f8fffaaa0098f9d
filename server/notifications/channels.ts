/**
 * What processes notify each other of. The payload of `worker_wake` is kinds of work, that of `status_changed`
 * verifications, and that of `status_waiting` the process in which requests wait for a change. With `status_probe` a process
 * asks the others whether requests wait in them. Several are separated by spaces.
 */
export type Channel = 'worker_wake' | 'status_changed' | 'status_waiting' | 'status_probe'

/** How long a statement on the LISTEN or NOTIFY connection may remain unanswered. */
export const answerMsMax = 1_000
