/**
 * Mails a partner-referred borrower how to continue an application (§4.7, §7.3): a code to enter, and a link that carries
 * the same code to a page with a button. Both are one passcode: using either consumes it, but a mail scanner that only opens
 * the link does not. Every borrower gets the same response; for an existing account the code simply logs in.
 *
 * The host of a link can read the code in it, so a lender's host never gets the code of another lender's account.
 */
import { randomUUID } from 'node:crypto'
import type { Parsed } from '@portico/contracts/call'
import type { sendContinueApplicationEmail } from '@portico/contracts/lead-portal'
import { INQUIRY_LIFETIME_MS, PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import type { Organizations } from '../brands/brands.ts'
import type { Clock } from '../clock.ts'
import { requestedOrganization } from '../http/requested-organization.ts'
import type { Visitor } from '../http/visitor.ts'
import { limitContinueMails, limitSends } from '../limits/send-limit.ts'
import { auditedAddress } from '../lockout/lockout.ts'
import { continueApplicationMail } from '../mail/mails.ts'
import type { Outbox } from '../mail/outbox.ts'
import { newPasscode } from '../secrets/passcode.ts'
import type { Vault } from '../secrets/vault.ts'
import type { TransactionalStores } from '../stores.ts'

/** A borrower, identified by the identity's UUID, or by address and organization. */
type Borrower = Parsed<(typeof sendContinueApplicationEmail)['body']>

/** Mails a borrower the code and the link. Returns the login that the code belongs to. */
export function sendContinueApplication(deps: {
  readonly stores: TransactionalStores<
    | 'audit'
    | 'counters'
    | 'devices'
    | 'identities'
    | 'inquiries'
    | 'lockoutLinks'
    | 'messages'
    | 'passcodes'
  >
  readonly organizations: Organizations
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Outbox
}) {
  const { stores, vault, clock, outbox } = deps
  const findOrganization = requestedOrganization(deps.organizations)

  /** The recipient's address and the mail's sender; undefined for an identity that this host does not serve. */
  async function recipient(borrower: Borrower, visitor: Visitor) {
    if (borrower.borrowerIdentifier === undefined) {
      const identity = await stores.identities.findById(borrower.borrowerIdentityUuid ?? '')
      return identity && visitor.serves(identity.organizationCode)
        ? { email: identity.email, sender: visitor.senderTo(identity.organizationCode) }
        : undefined
    }
    const { borrowerEmail: email, organization } = borrower.borrowerIdentifier
    const { orgCode } = findOrganization(organization, visitor)
    return { email, sender: visitor.senderTo(orgCode) }
  }

  return async (borrower: Borrower, visitor: Visitor): Promise<{ loginUuid: string }> => {
    const loginUuid = randomUUID()
    const to = await recipient(borrower, visitor)
    if (to === undefined) return { loginUuid }
    const { email, sender } = to
    await limitSends(deps, email, visitor)
    await limitContinueMails(deps, email)
    const at = clock()
    const code = newPasscode()
    const organizationCode = sender.organization.orgCode
    const identity = await stores.identities.findByEmail(email)
    const owner = identity && visitor.senderTo(identity.organizationCode)
    const isLinkTrusted = owner === undefined || owner.pagesOrigin === sender.pagesOrigin
    await stores.atomically(async (transaction) => {
      await transaction.inquiries.upsert({
        email,
        organizationCode,
        at,
        expiresAt: at + INQUIRY_LIFETIME_MS,
      })
      await transaction.passcodes.insert({
        id: loginUuid,
        email,
        codeMac: vault.mac('passcode', `${loginUuid} ${code}`),
        organizationCode,
        at,
        expiresAt: at + PASSCODE_LIFETIME_MS,
      })
      await outbox.add(
        transaction,
        continueApplicationMail(sender, { email, code, loginUuid, isLinkTrusted }),
      )
      await transaction.audit.record(
        'passcode-sent',
        {
          identityId: identity?.id ?? null,
          at,
          organizationCode,
          details: identity === undefined ? { address: auditedAddress(vault, email) } : {},
        },
        visitor,
      )
    })
    return { loginUuid }
  }
}
