/**
 * Compares groups with the chain before a passport is opened for their members (§6). A stored membership may have ended on the
 * chain, which does not report it, so every call on passports, and every export of them, starts here.
 */
import type { OpenSession } from '../sessions/sessions.ts'
import type { Stores } from '../stores.ts'
import type { PassportRow } from './passports.store.ts'

/** The passport that a call names, directly or by one of its files. */
interface NamedPassport {
  readonly passportUuid?: string | undefined
  readonly fileUuid?: string | undefined
}

export type RefreshGroups = (
  session: Pick<OpenSession, 'identityId'>,
  named?: NamedPassport,
) => Promise<void>

export function passportGroups({
  stores,
  refreshGroup,
}: {
  readonly stores: Pick<Stores, 'passportFiles' | 'passports'>
  /** Compares the account with its group, unless that was done within the last seconds. */
  readonly refreshGroup: (accountAddress: string) => Promise<unknown>
}): RefreshGroups {
  async function findNamed({ passportUuid, fileUuid }: NamedPassport) {
    const file = fileUuid === undefined ? undefined : await stores.passportFiles.find(fileUuid)
    const id = passportUuid ?? file?.passportId
    return id === undefined ? undefined : stores.passports.find(id)
  }

  return async ({ identityId }, named = {}) => {
    const [own, other] = await Promise.all([
      stores.passports.listByIdentity(identityId),
      findNamed(named),
    ])
    const passports: PassportRow[] = other === undefined ? own : [...own, other]
    const groups = passports.filter(({ structureType }) => structureType !== 'INDIVIDUAL')
    const addresses = new Set(groups.map(({ ownerWalletAddress }) => ownerWalletAddress))
    await Promise.all([...addresses].map(refreshGroup))
  }
}
