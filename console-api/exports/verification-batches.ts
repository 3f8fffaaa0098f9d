import type { TenantScope } from '#domain/scope.ts'
import { listVerifications, type VerificationsRequest } from '#domain/verification/list-verifications.ts'
import type { CsvField } from './csv.ts'

export async function* verificationBatches(
  scope: TenantScope,
  filter: VerificationsRequest,
): AsyncGenerator<CsvField[][]> {
  let cursor: string | null = null
  do {
    const page = await listVerifications(scope, { ...filter, limit: 100, cursor })
    yield page.items.map(({ verificationId, status, confidence, createdAt, completedAt }) => [
      verificationId,
      status,
      confidence,
      createdAt,
      completedAt,
    ])
    cursor = page.nextCursor
  } while (cursor)
}
