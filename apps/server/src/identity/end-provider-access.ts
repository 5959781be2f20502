import type { Visitor } from '../http/visitor.ts'
import { securityChangedMail } from '../mail/mails.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Stores } from '../stores.ts'

/**
 * Ends the sessions and the logins under way of a provider's people who had this account because the provider named its address
 * for them, and notifies the owner, who has now proved the mailbox.
 */
export async function endProviderAccess(
  stores: Pick<Stores, 'audit' | 'identities' | 'messages' | 'sessions'>,
  {
    account,
    provider,
    change,
    visitor,
    at,
    outbox,
  }: {
    readonly account: {
      readonly id: string
      readonly email: string
      readonly organizationCode: string
    }
    readonly provider: string
    readonly change: string
    readonly visitor: Visitor
    readonly at: number
    readonly outbox: Outbox
  },
): Promise<void> {
  const { id: identityId, email, organizationCode } = account
  await stores.identities.incrementCredentialVersion(identityId)
  await stores.sessions.endOfProviders(identityId, at)
  const mail = { email, provider, at, change }
  await outbox.add(stores, securityChangedMail(visitor.senderTo(organizationCode), mail))
  await stores.audit.record('provider-unlinked', { identityId, at }, visitor)
}
