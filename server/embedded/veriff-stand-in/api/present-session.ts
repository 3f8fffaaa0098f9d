import type { Session } from '../session/session.ts'
import type { StandIn } from '../stand-in.ts'

/** The answer to POST and PATCH. The address follows the port that the stand-in listens on now. */
export function presentSession(standIn: StandIn, session: Session): Record<string, unknown> {
  return {
    status: 'success',
    verification: {
      id: session.id,
      url: pageUrl(standIn, session),
      vendorData: session.vendorData,
      host: standIn.baseUrl,
      status: session.status,
      sessionToken: session.token,
    },
  }
}

export function pageUrl(standIn: StandIn, session: Session): string {
  return `${standIn.baseUrl}/v/${session.token}`
}
