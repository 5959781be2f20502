import { bytesOfBase64, hexOf } from '@portico/keys/bytes'
import { verifyJwt } from '@portico/keys/jwt'
import { isSameAddress } from '@portico/rules/bech32'
import { parseAccounts, type WalletAccount } from '../protocol/account.ts'
import type { OtherAccount } from './events.ts'

/** A page's requirements for the account (§4.1). They are sent in the URI only, so the response is checked against them. */
export interface Requirements {
  readonly individualAddress?: string | undefined
  readonly groupAddress?: string | undefined
  readonly prohibitGroups?: boolean | undefined
}

/** Whether an account may be used, and if not, the reason for the page. */
export type AccountCheck =
  | { readonly ok: true; readonly account: WalletAccount }
  | {
      readonly ok: false
      readonly reason: string
      /** The verified account, if the only problem is that it is not the required one. */
      readonly mismatch?: OtherAccount
    }

/**
 * Verifies the account of an approval or update. Its token must verify, belong to the key and address sent with it,
 * and name exactly the represented group. Otherwise anyone responding on the relay could claim any address.
 */
export function verifyAccount(
  accounts: unknown,
  {
    nowS,
    acceptedIssuers,
    required = {},
  }: {
    readonly nowS: number
    readonly acceptedIssuers: readonly string[] | undefined
    readonly required?: Requirements | undefined
  },
): AccountCheck {
  const account = parseAccounts(accounts)
  if (account.jwt === '') return refused(MISSING_ADDR)
  const check = verifyJwt(account.jwt, {
    now: nowS,
    ...(acceptedIssuers === undefined ? {} : { issuer: acceptedIssuers }),
  })
  if (!check.ok) {
    return refused(check.reason === 'missing-addr' ? MISSING_ADDR : TOKEN_REFUSED(check.reason))
  }
  const key = bytesOfBase64(account.publicKey)
  if (key === undefined || hexOf(key) !== hexOf(check.publicKey))
    return refused(TOKEN_REFUSED('key'))
  if (!isSameAddress(check.claims.addr, account.address)) return refused(TOKEN_REFUSED('address'))
  const group = account.representedGroupPolicy?.address
  if (!isSameAddress(check.claims.grp, group)) return refused(TOKEN_REFUSED('group'))
  const { individualAddress, groupAddress, prohibitGroups } = required
  const mismatch = { address: account.address, ...(group === undefined ? {} : { group }) }
  if (individualAddress && !isSameAddress(individualAddress, account.address)) {
    return { ...refused(OTHER_ACCOUNT), mismatch }
  }
  if (groupAddress && !isSameAddress(groupAddress, group))
    return { ...refused(OTHER_GROUP), mismatch }
  if (prohibitGroups === true && group !== undefined) return { ...refused(NO_GROUPS), mismatch }
  return { ok: true, account }
}

/** The wording of §5. */
const MISSING_ADDR = 'jwt is missing addr claim'
const TOKEN_REFUSED = (reason: string) => `The wallet's token was refused (${reason})`
const OTHER_ACCOUNT = 'The wallet connected with another account than the required one'
const OTHER_GROUP = 'The wallet does not act for the required group'
const NO_GROUPS = 'This page accepts no wallet that acts for a group'

function refused(reason: string) {
  return { ok: false, reason } as const
}
