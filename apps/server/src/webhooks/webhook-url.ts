import type { Config } from '../config.ts'
import type { OutboundHosts } from '../http/outbound-post.ts'

export const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** The hosts that may receive webhooks. The demonstration also allows this machine, for testing receivers. */
export function allowedHosts(
  url: string,
  { production, webhookHosts }: Pick<Config, 'production' | 'webhookHosts'>,
): OutboundHosts {
  const isOwnMachine = LOOPBACK.includes(URL.parse(url)?.hostname ?? '')
  return isOwnMachine && !production ? LOOPBACK : webhookHosts
}
