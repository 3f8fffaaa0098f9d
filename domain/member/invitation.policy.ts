import { dayMs } from '../usage/usage-period.ts'

/** For how many days the link of an invitation works. */
export const invitationDays = { min: 1, default: 7, max: 30 } as const

export const invitationNoteLengthMax = 100

/** How long an expired invitation is stored. */
export const endedInvitationRetentionMs = 90 * dayMs

/** Invitations of one tenant that can be accepted at the same time. */
export const openInvitationsMax = 50

/** Invitations that one tenant may create within 24 hours, whatever became of them: each is stored for 90 days and longer. */
export const invitationsPerDayMax = 500
