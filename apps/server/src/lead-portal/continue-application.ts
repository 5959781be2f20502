/**
 * The mail with which a partner-referred borrower continues the application (§4.7, §7.3): a code to enter, and a link that
 * carries the same code to a page with a button. Both are one passcode, so that using either uses both up, and nothing is
 * used by a program that only opens the link. Every borrower is answered alike; for the owner of an account the code
 * simply signs in.
 */
import { randomUUID } from 'node:crypto'
import type { Parsed } from '@portico/contracts/call'
import type { sendContinueApplicationEmail } from '@portico/contracts/lead-portal'
import {
  CONTINUE_MAILS_PER_DAY,
  DAY_MS,
  INQUIRY_LIFETIME_MS,
  PASSCODE_LIFETIME_MS,
} from '@portico/contracts/limits'
import type { Clock } from '../clock.ts'
import { requestedOrganization } from '../http/requested-organization.ts'
import type { Visitor } from '../http/visitor.ts'
import { tooManyAttempts } from '../limits/too-many-attempts.ts'
import { continueApplicationMail } from '../mail/mails.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Organizations } from '../organizations/organizations.ts'
import { newPasscode } from '../secrets/passcode.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AllStores } from '../stores.ts'

/** Whom the call names: one of the two. */
type Borrower = Parsed<(typeof sendContinueApplicationEmail)['body']>

/**
 * Counts one more code sent to somebody, whatever it is for.
 *
 * @throws Refusal - `too-many-requests` where it would be one too many
 */
export type LimitSends = (email: string, visitor: Visitor) => Promise<void>

/** Mails a borrower how to continue; gives the login that the code belongs to. */
export function sendContinueApplication(deps: {
  readonly stores: AllStores
  readonly organizations: Organizations
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Outbox
  readonly limitSends: LimitSends
}) {
  const { stores, vault, clock, outbox, limitSends } = deps
  const named = requestedOrganization(deps.organizations)

  /** Where the mail goes and in whose name; nothing for an identity that nobody has. */
  async function recipient(borrower: Borrower, visitor: Visitor) {
    const page = visitor.organization
    if (borrower.borrowerIdentifier === undefined) {
      const identity = await stores.identities.byId(borrower.borrowerIdentityUuid ?? '')
      return identity && { email: identity.email, organization: page }
    }
    const { borrowerEmail: email, organization: orgCode } = borrower.borrowerIdentifier
    // The page's own organization may have its label over it, which belongs to the mail as well.
    return { email, organization: orgCode === page.orgCode ? page : named(orgCode) }
  }

  return async (borrower: Borrower, visitor: Visitor): Promise<{ loginUuid: string }> => {
    const loginUuid = randomUUID()
    const to = await recipient(borrower, visitor)
    if (to === undefined) return { loginUuid }
    const { email, organization } = to
    await limitSends(email, visitor)
    const at = clock()
    // Whoever asks, in whichever browser: a stranger who is a person can still name anybody.
    const key = `continue ${vault.mac('guess key', email)}`
    const today = await stores.counters.count(key, at, DAY_MS)
    if (today.count > CONTINUE_MAILS_PER_DAY) throw tooManyAttempts(today.until, at)

    const code = newPasscode()
    const organizationCode = organization.orgCode
    const identity = await stores.identities.byEmail(email)
    const sender = { linkOrigin: visitor.linkOrigin, organization }
    await stores.atomically(async (transaction) => {
      await transaction.inquiries.welcome({
        email,
        organizationCode,
        at,
        expiresAt: at + INQUIRY_LIFETIME_MS,
      })
      await transaction.passcodes.add({
        id: loginUuid,
        email,
        codeMac: vault.mac('passcode', `${loginUuid} ${code}`),
        organizationCode,
        at,
        expiresAt: at + PASSCODE_LIFETIME_MS,
      })
      await outbox.add(transaction, continueApplicationMail(sender, { email, code, loginUuid }))
      await transaction.audit.add({
        kind: 'passcode-sent',
        at,
        identityId: identity?.id ?? null,
        organizationCode,
        network: visitor.network,
      })
    })
    return { loginUuid }
  }
}
