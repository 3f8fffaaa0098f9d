const dayMs = 24 * 60 * 60 * 1000

/** For how many days the link of an invitation works. */
export const invitationDays = { min: 1, default: 7, max: 30 } as const

export function invitationLifetimeMs(days: number = invitationDays.default): number {
  return days * dayMs
}

/** How long an expired invitation is stored. */
export const endedInvitationRetentionMs = 90 * dayMs

/** Invitations of one tenant that can be accepted at the same time. */
export const openInvitationsMax = 50

/** Invitations that one tenant may create within 24 hours, whatever became of them: each is stored for 90 days and longer. */
export const invitationsPerDayMax = 500

export const invitationStates = ['open', 'accepted', 'revoked', 'expired'] as const
export type InvitationState = (typeof invitationStates)[number]

export interface InvitationTimes {
  expiresAt: Date
  acceptedAt?: Date | null | undefined
  revokedAt?: Date | null | undefined
}

/** An invitation expires from the millisecond of `expiresAt` on. */
export function invitationState(times: InvitationTimes, now: Date): InvitationState {
  if (times.acceptedAt) return 'accepted'
  if (times.revokedAt) return 'revoked'
  return times.expiresAt <= now ? 'expired' : 'open'
}
