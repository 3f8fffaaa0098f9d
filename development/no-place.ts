import type { Place } from '#domain/scope.ts'

/** Of the servers for development, which work on all requests at a time. */
export const noPlace: Place = { whileIdle: work => work() }
