/** The path of the webhook URL; one for examples if there is none. */
export function pathOf(webhookUrl: string | null): string {
  return webhookUrl && URL.canParse(webhookUrl) ? new URL(webhookUrl).pathname : '/age-events'
}
