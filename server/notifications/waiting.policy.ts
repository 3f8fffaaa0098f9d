import { connectionsMax } from '../http/listen.ts'

/** Of the connections that a process accepts; the others are for requests that don't wait, the provider's among them. */
export const waitsMax = 0.8 * connectionsMax

/** A tenant may have so many times as many waiting requests as are still free: alone 6,000 of 8,000, one of many a few. */
const shareOfFree = 3

/**
 * Whether one more request of a tenant may wait in this process. However many one tenant has, with all of its keys, others
 * can still wait.
 */
export function mayWait({ ofTenant, all }: { ofTenant: number; all: number }): boolean {
  return ofTenant < shareOfFree * (waitsMax - all)
}
