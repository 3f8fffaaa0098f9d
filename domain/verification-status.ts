export const verificationStatuses = [
  'pending',
  'started',
  'submitted',
  'approved',
  'denied',
  'resubmission',
  'rejected',
] as const
export type VerificationStatus = (typeof verificationStatuses)[number]

/** Those that an open verification can have. */
export const openStatuses = ['pending', 'started', 'submitted', 'resubmission'] as const
export type OpenStatus = (typeof openStatuses)[number]
