/** What processes notify each other of. The payload of `worker_wake` is kinds of work, separated by spaces. */
export type Channel = 'worker_wake'

/** How long a statement on the LISTEN or NOTIFY connection may remain unanswered. */
export const answerMsMax = 1_000
