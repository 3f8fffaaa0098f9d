import { randomBytes, randomUUID } from 'node:crypto'
import type { Simulator } from '../simulator.ts'
import type { Session } from './session.ts'

export type SessionRequest = Pick<Session, 'vendorData' | 'endUserId' | 'callback'>

/** There is no idempotency at the provider: each call makes a session of its own. */
export async function createSession(simulator: Simulator, request: SessionRequest): Promise<Session> {
  const session: Session = {
    id: randomUUID(),
    token: randomBytes(32).toString('base64url'),
    ...request,
    createdAt: simulator.now().toISOString(),
    status: 'created',
    attempts: [],
    decision: null,
  }
  await simulator.store.saveSession(session)
  return session
}
