/** What the adapter of an identity provider takes, and what it gives. */

import type { Registry } from 'prom-client'
import type { Clock, IdentityProvider } from '#domain/ports.ts'
import type { ProviderCallbacks } from '#rest/ports.ts'

export interface ProviderOptions {
  clock?: Clock
  /** Of each call. */
  deadlineMs?: number
  /** Where calls are counted, if they are. */
  registry?: Registry
}

export interface OpenedProvider {
  client: IdentityProvider
  callbacks: ProviderCallbacks
  /** The index of the shared secret that the provider took last. */
  secretInUse(): number
  /** Requests fail from then on, those in flight immediately. */
  close(): Promise<void>
}
