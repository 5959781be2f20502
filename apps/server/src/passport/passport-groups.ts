/**
 * Compares groups with the chain before a passport is opened for their members (§6). A stored membership may have ended on the
 * chain, which does not report it, so every call on passports, and every export of them, starts here. While the chain does not
 * respond, the last known members can read and export, but not change anything.
 */
import { Refusal } from '@portico/contracts/errors'
import type { OpenSession } from '../sessions/sessions.ts'
import type { Stores } from '../stores.ts'

/** The passport that a call names, directly or by one of its files. */
interface NamedPassport {
  readonly passportUuid?: string | undefined
  readonly fileUuid?: string | undefined
}

type GroupSession = Pick<OpenSession, 'chosen' | 'identityId'>

export interface PassportGroups {
  /** Compares the groups of all passports that the session may read. */
  readonly refreshForRead: (session: GroupSession, named?: NamedPassport) => Promise<void>
  /**
   * Compares the group of the passport that the session is about to change, by default that of the account it acts as.
   *
   * @throws Refusal - `chain-not-available` if the session's access may be that of a former member
   */
  readonly refreshForChange: (session: GroupSession, named?: NamedPassport) => Promise<void>
}

export function passportGroups({
  stores,
  memberships,
}: {
  readonly stores: Pick<Stores, 'accounts' | 'passportFiles' | 'passports'>
  readonly memberships: {
    /** Compares a group's account with the chain now, and returns why that was not possible. */
    readonly refreshNow: (accountAddress: string) => Promise<Refusal | undefined>
  }
}): PassportGroups {
  async function findNamed({ passportUuid, fileUuid }: NamedPassport) {
    const file = fileUuid === undefined ? undefined : await stores.passportFiles.find(fileUuid)
    const id = passportUuid ?? file?.passportId
    return id === undefined ? undefined : stores.passports.find(id)
  }

  return {
    async refreshForRead({ chosen, identityId }, named = {}) {
      const [own, other] = await Promise.all([
        stores.passports.listByIdentity(identityId),
        findNamed(named),
      ])
      const passports = other === undefined ? own : [...own, other]
      const groups = new Set(
        passports.flatMap(({ structureType, ownerWalletAddress }) =>
          structureType === 'INDIVIDUAL' ? [] : [ownerWalletAddress],
        ),
      )
      if (chosen?.groupPolicyAddress !== undefined) groups.add(chosen.groupPolicyAddress)
      await Promise.all([...groups].map(memberships.refreshNow))
    },

    async refreshForChange({ chosen, identityId }, named = {}) {
      const passport = await findNamed(named)
      if (passport?.structureType === 'INDIVIDUAL') return
      const group = passport?.ownerWalletAddress ?? chosen?.groupPolicyAddress
      if (group === undefined) return
      const failure = await memberships.refreshNow(group)
      if (failure === undefined) return
      // Members of the passport and reviewers are not members of its group: their access does not depend on the chain.
      const accounts = await stores.accounts.listByIdentity(identityId)
      if (accounts.some(({ address, type }) => address === group && type === 'Group')) {
        throw new Refusal('chain-not-available', { cause: failure })
      }
    },
  }
}
