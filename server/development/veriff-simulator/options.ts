export interface VeriffSimulatorOptions {
  host: string
  /** 0 takes a free one. */
  port: number
  /** The integration's key, a UUID as the real one. */
  apiKey: string
  /** The first one signs; requests signed with any of them are accepted. */
  sharedSecrets: string[]
  /** Where all webhooks go; the real provider takes it from the integration's settings. */
  webhookUrl: string
  /** Sessions and undelivered webhooks are kept here (JSON lines); without it they end with the process. */
  dataFile?: string
  /** Seconds before each further try of a webhook; the last one repeats, for 7 days in all. */
  retryDelaysSeconds?: number[]
  /** A webhook that was not answered by then has failed; 5 by default, as at the real provider. */
  webhookDeadlineSeconds?: number
  now?: () => Date
  /** The real provider refuses any callback that is not https. */
  allowHttpCallback?: boolean
  /** Gets one line for each try of a webhook; never a body, a token or a secret. */
  log?: (line: string) => void
}

export const defaultWebhookDeadlineSeconds = 5

/** The real one tries hourly; here a service that was restarted gets what it missed within seconds. */
export const defaultRetryDelaysSeconds = [1, 2, 5, 10, 30, 60, 3600]
