import type { Session } from '../session/session.ts'
import type { Simulator } from '../simulator.ts'

/** The answer to POST and PATCH. The address follows the port that the stand-in listens on now. */
export function presentSession(simulator: Simulator, session: Session): Record<string, unknown> {
  return {
    status: 'success',
    verification: {
      id: session.id,
      url: pageUrl(simulator, session),
      vendorData: session.vendorData,
      host: simulator.baseUrl,
      status: session.status,
      sessionToken: session.token,
    },
  }
}

export function pageUrl(simulator: Simulator, session: Session): string {
  return `${simulator.baseUrl}/v/${session.token}`
}
