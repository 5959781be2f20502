/** The members of an entity's or trust's passport, who are invited by mail and accept with that address. */
import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import { MAX_PASSPORT_MEMBERS, PASSPORT_INVITATION_LIFETIME_MS } from '@portico/contracts/limits'
import type { PassportMember } from '@portico/contracts/passport'
import { joinPassportPath } from '@portico/rules/gatekeeper'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { limitPassportInvitations } from '../limits/send-limit.ts'
import { passportInvitationMail } from '../mail/mails.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Vault } from '../secrets/vault.ts'
import { lockSession, type OpenSession } from '../sessions/sessions.ts'
import type { TransactionalStores } from '../stores.ts'
import { findAccessible, lockAccessible } from './passport-access.ts'
import { passportMember } from './read-passport.ts'

export function passportMembers(deps: {
  readonly stores: TransactionalStores<
    | 'accounts'
    | 'audit'
    | 'counters'
    | 'identities'
    | 'identityRoles'
    | 'organizationInvitations'
    | 'messages'
    | 'passportMembers'
    | 'passports'
    | 'sessions'
    | 'wallets'
  >
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Outbox
}) {
  const { stores, clock, outbox } = deps
  const allowed = ['owner'] as const

  return {
    async invite(
      request: {
        readonly passportUuid: string
        readonly name: string
        readonly email: string
        readonly role: PassportMember['role']
      },
      session: OpenSession,
      visitor: Visitor,
    ): Promise<PassportMember> {
      const { passportUuid, email, role } = request
      const { identityId } = session
      // Before the transaction, which would roll back the count of a refused attempt.
      const found = await findAccessible(stores, passportUuid, session)
      if (found?.access !== 'owner') throw new Refusal('not-found')
      await limitPassportInvitations(deps, { identityId, email })
      return stores.atomically(async (transaction) => {
        const passport = await lockAccessible(transaction, passportUuid, { session, allowed })
        if (passport.structureType === 'INDIVIDUAL') throw new Refusal('passport-type-not-possible')
        const at = clock()
        const members = await transaction.passportMembers.list(passport.id)
        const known = members.find((member) => member.email === email)
        if (known?.joinedAt != null) throw new Refusal('already-member')
        if (known === undefined && members.length >= MAX_PASSPORT_MEMBERS) {
          throw new Refusal('too-many-members')
        }
        const invitation = {
          name: request.name.trim(),
          role,
          expiresAt: at + PASSPORT_INVITATION_LIFETIME_MS,
        }
        const row = {
          id: randomUUID(),
          passportId: passport.id,
          email,
          identityId: null,
          createdAt: at,
          joinedAt: null,
          ...known,
          ...invitation,
        }
        await (known === undefined
          ? transaction.passportMembers.insert(row)
          : transaction.passportMembers.updateInvitation(row.id, invitation))
        await outbox.add(
          transaction,
          passportInvitationMail(visitor.senderTo(passport.organizationCode), {
            email,
            inviter: session.email,
            path: joinPassportPath(passport.id),
          }),
        )
        await transaction.audit.record('passport-member-invited', { identityId, at }, visitor)
        return passportMember(row)
      })
    },

    /** The person can no longer read or change the passport from then on. */
    remove: (
      { passportUuid, memberUuid }: { passportUuid: string; memberUuid: string },
      session: OpenSession,
      visitor: Visitor,
    ): Promise<void> =>
      stores.atomically(async (transaction) => {
        const passport = await lockAccessible(transaction, passportUuid, { session, allowed })
        if (!(await transaction.passportMembers.delete(passport.id, memberUuid))) {
          throw new Refusal('not-found')
        }
        const { identityId } = session
        const at = clock()
        await transaction.audit.record('passport-member-removed', { identityId, at }, visitor)
      }),

    /** The invitation is for the owner of the mailbox, so an address that only a provider or an import asserts is refused. */
    join: (passportUuid: string, session: OpenSession, visitor: Visitor): Promise<void> =>
      stores.atomically(async (transaction) => {
        const at = clock()
        const { identityId, email } = session
        await lockSession(transaction, session, at)
        const isVerified = session.emailVerifiedAt !== null
        const invitation = { email, identityId, at }
        const isNew =
          isVerified &&
          (await transaction.passportMembers.consumeInvitation(passportUuid, invitation))
        if (isNew) {
          await transaction.audit.record('passport-joined', { identityId, at }, visitor)
        } else if (!(await transaction.passportMembers.isMember(passportUuid, identityId))) {
          throw new Refusal(isVerified ? 'not-found' : 'email-not-verified')
        }
      }),
  }
}
