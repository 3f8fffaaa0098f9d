import type { Decision, Session } from '../session/session.ts'
import type { Webhook } from './delivery.ts'

/** The only webhook of Full Auto integrations: no codes and no reasons, but a score, and values in objects. */
export function fullAutoWebhook(session: Session, decision: Decision): Webhook {
  const body = JSON.stringify({
    status: 'success',
    eventType: 'fullauto',
    sessionId: session.id,
    attemptId: decision.attemptId,
    vendorData: session.vendorData,
    endUserId: session.endUserId,
    version: '1.0.0',
    acceptanceTime: session.createdAt,
    time: decision.decisionTime,
    data: {
      verification: {
        decision: decision.status,
        decisionScore: decision.decisionScore,
        person: {
          firstName: value('ANNA'),
          lastName: value('EXAMPLE'),
          dateOfBirth: value(decision.dateOfBirth),
        },
        document: { type: value('passport'), country: value('EE'), number: value('X1234567') },
        insights: [],
      },
    },
  })
  return { title: `Full Auto decision ${decision.status}`, body }
}

function value(content: string | null): Record<string, unknown> | null {
  return content === null ? null : { value: content, confidenceCategory: 'high', sources: ['VIZ', 'MRZ'] }
}
