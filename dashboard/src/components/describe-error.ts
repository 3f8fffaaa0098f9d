import { type DomainError, mayPass } from '../console/refusal.ts'

export interface Explanation {
  title: string
  /** What to do now. */
  advice: string
}

/** A refusal in words for the user: what happened, and what to do. */
export function explainRefusal(refusal: DomainError): Explanation {
  if (refusal.code === undefined) return unreachable
  const known = explanations[refusal.code]
  if (known) return known
  const advice = mayPass(refusal) ? 'Try again in a moment.' : 'Check what you entered and try again.'
  return { title: 'That did not work', advice }
}

const unreachable: Explanation = {
  title: 'The service can not be reached',
  advice: 'Check your connection and try again. Nothing that you entered is lost.',
}

const explanations: Record<string, Explanation> = {
  FORBIDDEN: {
    title: 'You may not do this',
    advice: 'Ask an owner of this tenant to do it, or to change your role.',
  },
  TENANT_NOT_PROVISIONED: {
    title: 'You do not belong to this tenant',
    advice: 'Create a tenant under First steps, or ask an owner to add you.',
  },
  TENANT_INACTIVE: {
    title: 'This tenant is disabled',
    advice: 'Everything can be read, nothing changed. Ask whoever runs this service to enable it.',
  },
  NOT_PROVISIONED: { title: 'Something has to come first', advice: 'Set what is missing, then try again.' },
  UNAUTHENTICATED_TENANT: { title: 'Your sign-in has ended', advice: 'Sign in again to go on.' },
  VERIFICATION_NOT_FOUND: {
    title: 'There is no such verification',
    advice: 'Check the id. It may belong to another tenant.',
  },
  RATE_LIMIT_EXCEEDED: { title: 'Too many requests', advice: 'Wait a moment, then try again.' },
  DATABASE_ERROR: {
    title: 'The service can not reach its database',
    advice: 'Try again in a moment. If it lasts, quote the request id to whoever runs this service.',
  },
  REDIS_ERROR: { title: 'A part of the service is away', advice: 'Try again in a moment.' },
  INTERNAL_ERROR: {
    title: 'Something went wrong in the service',
    advice: 'Try again. If it lasts, quote the request id to whoever runs this service.',
  },
}
