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
