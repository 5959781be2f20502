import type { Visitor } from '../http/visitor.ts'
import type { OpenSession } from '../sessions/sessions.ts'
import type { Stores } from '../stores.ts'
import { securityChangedMail } from './mails.ts'
import type { Outbox } from './outbox.ts'

/** Mails the owner of a session's account what the session changed, once the transaction has committed. */
export async function notifyOwner(
  transaction: Pick<Stores, 'messages' | 'providers'>,
  {
    outbox,
    session,
    visitor,
    at,
    change,
  }: {
    readonly outbox: Outbox
    readonly session: Pick<OpenSession, 'email' | 'identityId' | 'organizationCode'>
    readonly visitor: Visitor
    readonly at: number
    readonly change: string
  },
): Promise<void> {
  const { email, identityId, organizationCode } = session
  const provider = (await transaction.providers.findManager(identityId))?.name
  const sender = visitor.senderTo(organizationCode)
  await outbox.add(transaction, securityChangedMail(sender, { email, provider, at, change }))
}
