import type { StatusReport } from '#domain/verification/status-report.ts'

/** A verification's status as tenants see it. */
export function presentStatus(report: StatusReport) {
  const { verificationId, status, confidence, createdAt, completedAt, token } = report
  return {
    verificationId,
    status,
    confidence,
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
    ...(token === null ? {} : { token }),
  }
}
