import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import type { PassportStructureType } from '@portico/contracts/passport-status'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { Vault } from '../secrets/vault.ts'
import { lockSession, type OpenSession } from '../sessions/sessions.ts'
import type { TransactionalStores } from '../stores.ts'
import { actingAccount } from './passport-access.ts'
import { wrapAnswers } from './read-passport.ts'

/**
 * Creates the passport of the account that the user acts as: an individual's for a wallet, an entity's or trust's for a
 * group. Idempotent: an account has at most one.
 */
export function passportCreation(deps: {
  readonly stores: TransactionalStores<
    'accounts' | 'audit' | 'identities' | 'passports' | 'passportSections' | 'sessions' | 'wallets'
  >
  readonly vault: Vault
  readonly clock: Clock
}) {
  const { stores, vault, clock } = deps
  return async (
    structureType: PassportStructureType,
    session: OpenSession,
    visitor: Visitor,
  ): Promise<{ passportUuid: string }> => {
    const { chosen, identityId, organizationCode } = session
    return stores.atomically(async (transaction) => {
      const at = clock()
      await lockSession(transaction, session, at)
      // So that the membership does not end before this transaction has committed.
      if (chosen?.groupPolicyAddress !== undefined) {
        await transaction.accounts.lockAuthorization(
          chosen.walletAddress,
          chosen.groupPolicyAddress,
        )
      }
      const account = await actingAccount(transaction, session)
      if (account === undefined) throw new Refusal('account-not-chosen')
      if (account.isGroup === (structureType === 'INDIVIDUAL')) {
        throw new Refusal('passport-type-not-possible')
      }
      const passport = {
        id: randomUUID(),
        structureType,
        ownerWalletAddress: account.address,
        creatorId: identityId,
        organizationCode,
        createdAt: at,
      }
      if (!(await transaction.passports.insert(passport))) {
        const existing = await transaction.passports.findByOwner(account.address)
        if (existing?.structureType !== structureType) {
          throw new Refusal('passport-type-not-possible')
        }
        return { passportUuid: existing.id }
      }
      // From here on the KYC status is known, so the gatekeeper leads back to this passport (§4.10).
      await transaction.passportSections.upsert({
        id: randomUUID(),
        passportId: passport.id,
        organizationCode,
        section: 'kyc',
        status: 'IN_PROGRESS',
        version: 0,
        answers: wrapAnswers(vault, {}),
        savedAt: at,
        submittedAt: null,
      })
      await transaction.audit.record('passport-created', { identityId, at }, visitor)
      return { passportUuid: passport.id }
    })
  }
}
