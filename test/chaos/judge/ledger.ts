import type { Outcome } from '#server/providers/test-provider/session.ts'

/** A change that stays, such as a revocation. Times are milliseconds since the start of the run. */
export interface Change {
  /** When it was requested first. */
  sentAt: number | undefined
  /** When the service confirmed it. */
  doneAt: number | undefined
}

export function noChange(): Change {
  return { sentAt: undefined, doneAt: undefined }
}

/** Whether an answer of that time may already show the change. */
export function mayShow({ sentAt }: Change, answeredAt: number): boolean {
  return sentAt !== undefined && sentAt <= answeredAt
}

/** Whether a request of that time must see the change. */
export function mustShow({ doneAt }: Change, sentAt: number): boolean {
  return doneAt !== undefined && doneAt <= sentAt
}

export interface ApiKeyEntry {
  apiKeyId: string
  value: string
  revoked: Change
}

/** A change of a tenant's state by an operator. */
export interface EnabledChange extends Change {
  enabled: boolean
}

export interface TenantEntry {
  name: string
  tenantId: string
  /** The `sub` of a member with all rights. */
  owner: string
  apiKey: ApiKeyEntry
  /** Other keys, which are created and revoked during the run. */
  furtherKeys: ApiKeyEntry[]
  /** The path of its receiver's URL; undefined without one. */
  receiverPath: string | undefined
  /** Rotations of its webhook secret that were requested. */
  rotations: number
  /** Starts that its plan allows in a month; undefined where that is never reached. */
  startsMax: number | undefined
  enabledChanges: EnabledChange[]
  starts: StartEntry[]
  changes: FollowedChanges
}

/** What a back end has read of `GET /verifications`. */
export interface FollowedChanges {
  /** The cursor that it has stored; undefined before the first answer. */
  after: string | undefined
  /** How each verification was listed, by its ID. */
  listed: Map<string, { tokenRevokedAt?: string | null }[]>
}

/** One result that the provider was told to send. */
export interface DecisionEntry {
  outcome: Outcome
  sentAt: number
  /** When the service had answered its callback with 200. */
  acknowledgedAt: number | undefined
}

/** A start that a client wanted, with all its attempts, and what followed. */
export interface StartEntry {
  tenant: TenantEntry
  idempotencyKey: string | undefined
  /** `unknown`: the service may have stored it without a client knowing its ID. */
  outcome: 'running' | 'acknowledged' | 'rejected' | 'unknown'
  /** Whether it may use quota, for a while even if it failed. */
  mayUseQuota: boolean
  /** The body of the 201, byte for byte. */
  response: string | undefined
  verificationId: string | undefined
  decisions: DecisionEntry[]
  /** What the first status response after the completion said, and when it was received. */
  completion: { receivedAt: number; body: StatusBody } | undefined
  tokenRevoked: Change
  erased: Change
}

/** The fields of `GET /verify/status`. */
export interface StatusBody {
  verificationId: string
  status: string
  confidence: number | null
  createdAt: string
  completedAt: string | null
  over18?: boolean | null
  token?: string | null
  tokenRevokedAt?: string | null
}

/** Everything that clients, provider and receivers know about the run. */
export class Ledger {
  readonly tenants: TenantEntry[] = []

  get starts(): StartEntry[] {
    return this.tenants.flatMap(({ starts }) => starts)
  }

  tenant(name: string): TenantEntry {
    return this.tenants.find(tenant => tenant.name === name)!
  }
}

/** The status that a decision completes a verification with; undefined if it completes none. */
export function findConclusion(outcome: Outcome): 'approved' | 'denied' | 'rejected' | undefined {
  if (outcome.startsWith('approve')) return 'approved'
  if (outcome === 'decline') return 'denied'
  return outcome === 'abandon' || outcome === 'expire' ? 'rejected' : undefined
}
