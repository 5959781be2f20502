/**
 * The sender of mail and texts. `senderOf` is the only function that decides where links in them lead: always to a host
 * that serves the organization in whose name the message is sent, never to the host of another lender.
 */
import type { Organization } from '@portico/contracts/organization-file'

/** The brand of a message, and the origin of the pages that its links lead to. */
export interface Sender {
  readonly organization: Organization
  readonly pagesOrigin: string
}

/**
 * @param options.localOrigin - the origin without `PUBLIC_URL`
 * @param options.host - the host that a visitor uses, preferred if it is one of several hosts of the organization
 */
export function senderOf(
  organization: Organization,
  {
    publicUrl,
    localOrigin,
    host,
  }: {
    readonly publicUrl: string | undefined
    readonly localOrigin: string
    readonly host?: string
  },
): Sender {
  if (publicUrl === undefined) return { organization, pagesOrigin: localOrigin }
  const { hosts } = organization
  const ownHost = host !== undefined && hosts.includes(host) ? host : hosts[0]
  const url = new URL(publicUrl)
  if (ownHost !== undefined) url.hostname = ownHost
  return { organization, pagesOrigin: url.origin }
}
