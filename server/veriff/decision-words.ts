/** Veriff's event and decision codes. */
const codes: Record<number, string> = {
  7001: 'the person opened the hosted page',
  7002: 'the person submitted',
  9001: 'approved',
  9102: 'declined',
  9103: 'resubmission requested',
  9104: 'expired or abandoned',
  9121: 'in review',
}

/** Veriff's documented reasons for declining, and for requesting a resubmission. Integrations can have further ones. */
const reasons: Record<string, string> = {
  101: 'no physical document was used',
  102: 'suspected tampering with the document',
  103: 'the face does not match the document',
  104: 'the name does not match',
  105: 'suspicious behavior',
  106: 'known fraud',
  108: 'too many verifications from this source',
  109: 'too many verifications from this source',
  110: 'too many verifications from this source',
  111: 'fraudulently accessed session',
  112: 'restricted IP location',
  113: 'suspected identity farming',
  129: 'invalid workflow',
  201: 'photos are missing',
  204: 'the photos are too poor',
  205: 'the document is damaged',
  206: 'the type of document is not supported',
  207: 'the document has expired',
  530: 'the person is under 13',
  531: 'the person is under 14',
  532: 'the person is under 16',
  533: 'the person is under 18',
  534: 'the person is under 20',
  535: 'the person is under 21',
  536: 'the person is under 25',
  539: 'too many resubmissions',
}

/** A code in words; null for none, and for one that is not known. */
export function describeCode(code: number | null): string | null {
  return code === null ? null : (codes[code] ?? null)
}

/** A reason code in words; null for none, and for one that is not known. */
export function describeReason(reasonCode: string | null): string | null {
  return reasonCode === null ? null : (reasons[reasonCode] ?? null)
}
