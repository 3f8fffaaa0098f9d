import { type Command, Option } from 'commander'
import { eraseVerification } from '#domain/deletion/erase-verification.ts'
import { type ErasureReceipt, erasureReceipt } from '#domain/deletion/erasure-receipt.ts'
import { DomainError } from '#domain/errors.ts'
import { invalidParameter } from '#domain/parameters.ts'
import type { OperatorScope, TenantOperatorScope } from '#domain/scope.ts'
import { findTenant } from '#domain/tenant/find-tenant.ts'
import { describeCode, describeReason } from '#domain/verification/decision.ts'
import { findStored } from '#domain/verification/find-verification.ts'
import { listVerifications } from '#domain/verification/list-verifications.ts'
import { type VerificationStatus, verificationStatuses } from '#domain/verification-status.ts'
import { explainNotification, explainStatus, notifiedAt } from '../explain-verification.ts'
import {
  onTenant,
  type PageOptions,
  type PeriodOptions,
  readPage,
  readPeriod,
  withPage,
  withPeriod,
  withSkipProvider,
  withTenant,
} from '../options.ts'
import { list, type Output, record, sections } from '../output.ts'
import type { Performers } from '../perform.ts'
import { type InspectedVerification, inspectVerification } from '../queries/inspect-verification.ts'
import { addVerificationPoll } from './verification-poll.ts'

interface ListOptions extends PageOptions, PeriodOptions {
  status?: VerificationStatus
  search?: string
}

interface EraseOptions {
  verification: string
  confirm?: string
  skipProvider?: boolean
}

export function addCommands(noun: Command, { perform }: Performers): void {
  withVerification(noun.command('show'))
    .description('Show why a verification has its status, its timeline, and what the tenant was told')
    .action(({ verification: verificationId }: { verification: string }) =>
      perform(async scope => show(await inspectVerification(scope, { verificationId }))),
    )
  withPage(withPeriod(withTenant(noun.command('list'))))
    .description("List a tenant's verifications, newest first")
    .addOption(new Option('--status <status>', 'only those with this status').choices(verificationStatuses))
    .option('--search <id>', 'only those whose id begins with this')
    .addHelpText(
      'after',
      '\nExample:\n  operator verification list --tenant ID --status denied --from 2026-11-01',
    )
    .action(onTenant(perform, listPage))
  addVerificationPoll(noun, perform)
  withSkipProvider(withVerification(noun.command('erase')))
    .description(
      'Erase a verification here, and queue its session for the deletion at the identity provider; without --confirm, show it',
    )
    .option('--confirm <id>', 'the id of the verification once more')
    .action((options: EraseOptions) => perform(scope => erase(scope, options)))
  withVerification(noun.command('receipt'))
    .description(
      'Print the signed receipt of an erasure, with what the identity provider has answered so far',
    )
    .action((options: { verification: string }) =>
      perform(async scope =>
        showReceipt(await erasureReceipt(scope, { verificationId: options.verification })),
      ),
    )
}

function withVerification(command: Command): Command {
  return command.requiredOption('--verification <id>', 'id of the verification')
}

function show(verification: InspectedVerification): Output {
  const { changes, delivery, token, pollAt: nextPollAt, ...fields } = verification
  const summary = {
    ...fields,
    nextPollAt,
    explanation: explainStatus(verification),
    notification: explainNotification(verification),
  }
  const timeline = [created(verification.createdAt), ...changes.map(presentChange)]
  const parts = {
    timeline,
    token,
    delivery: delivery && {
      state: delivery.state,
      attempts: delivery.attempts,
      confidence: delivery.confidence,
      notifiedAt: notifiedAt(delivery),
      lastAttemptAt: delivery.attemptedAt,
      failure: delivery.failure,
    },
  }
  return sections({ ...summary, ...parts }, [
    record(summary),
    list(timeline, ''),
    ...(parts.token ? [record(parts.token)] : []),
    ...(parts.delivery ? [record(parts.delivery)] : []),
  ])
}

function created(at: Date) {
  const unreported = { attempt: null, code: null, reasonCode: null, description: null }
  return presentChange({ at, status: 'pending', source: 'service', applied: true, ...unreported })
}

function presentChange(change: InspectedVerification['changes'][number]) {
  const { at, status, source, applied, attempt, code, reasonCode } = change
  return {
    at,
    status,
    source,
    applied,
    attempt,
    code,
    meaning: describeCode(code),
    reasonCode,
    reason: describeReason(reasonCode),
  }
}

async function listPage(scope: TenantOperatorScope, options: ListOptions): Promise<Output> {
  const { status, search } = options
  await findTenant(scope)
  const request = { ...readPage(options), ...readPeriod(options), status, search }
  const { items, nextCursor } = await listVerifications(scope, request)
  return list(items, 'There are no such verifications.', nextCursor)
}

async function erase(scope: OperatorScope, options: EraseOptions): Promise<Output> {
  const { verification: verificationId, confirm, skipProvider = false } = options
  if (confirm === undefined) {
    const found = await findStored(scope, verificationId)
    if (!found) throw new DomainError('VERIFICATION_NOT_FOUND')
    const { tenantId, test, providerSessionId } = found
    return record(
      { verificationId, tenantId, test, providerSessionId, erased: false },
      `To erase it, add --confirm ${verificationId}`,
    )
  }
  if (confirm !== verificationId) {
    throw invalidParameter('confirm', '--confirm must be the id of the verification.')
  }
  return showReceipt(await eraseVerification(scope, { verificationId, skipProvider }))
}

function showReceipt(erasure: ErasureReceipt): Output {
  const { deleted, session, ...fields } = erasure
  const { state, at, place } = session
  const text = { ...fields, ...deleted, session: `${state} since ${at.toISOString()}`, place }
  return { ...record(text), json: erasure }
}
