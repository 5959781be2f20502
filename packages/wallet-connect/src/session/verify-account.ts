import { bytesOfBase64, hexOf } from '@portico/keys/bytes'
import { verifyJwt } from '@portico/keys/jwt'
import { parseAccounts, type WalletAccount } from '../protocol/account.ts'
import type { OtherAccount } from './broadcast-events.ts'

/** What a page asks of the account that connects (§4.1); it travels in the URI only, so it is checked again here. */
export interface Requirements {
  readonly individualAddress?: string | undefined
  readonly groupAddress?: string | undefined
  readonly prohibitGroups?: boolean | undefined
}

/** Whether an account may be used, and if not, the reason that the page is told. */
export type AccountCheck =
  | { readonly ok: true; readonly account: WalletAccount }
  | {
      readonly ok: false
      readonly reason: string
      /** The proven account, where it is only not the required one. */
      readonly mismatch?: OtherAccount
    }

/**
 * Judges the account of an approval or update. Its token must verify, belong to the key and address that came with it,
 * and name the group that is represented and no other: whoever answers on the relay could claim any address otherwise.
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
  const verdict = verifyJwt(account.jwt, {
    now: nowS,
    ...(acceptedIssuers === undefined ? {} : { issuer: acceptedIssuers }),
  })
  if (!verdict.ok) {
    return refused(verdict.reason === 'missing-addr' ? MISSING_ADDR : TOKEN_REFUSED(verdict.reason))
  }
  const key = bytesOfBase64(account.publicKey)
  if (key === undefined || hexOf(key) !== hexOf(verdict.publicKey))
    return refused(TOKEN_REFUSED('key'))
  if (!same(verdict.claims.addr, account.address)) return refused(TOKEN_REFUSED('address'))
  const group = account.representedGroupPolicy?.address
  if (!same(verdict.claims.grp, group)) return refused(TOKEN_REFUSED('group'))
  const { individualAddress, groupAddress, prohibitGroups } = required
  const mismatch = { address: account.address, ...(group === undefined ? {} : { group }) }
  if (individualAddress && !same(individualAddress, account.address)) {
    return { ...refused(OTHER_ACCOUNT), mismatch }
  }
  if (groupAddress && !same(groupAddress, group)) return { ...refused(OTHER_GROUP), mismatch }
  if (prohibitGroups === true && group !== undefined) return { ...refused(NO_GROUPS), mismatch }
  return { ok: true, account }
}

/** §5. */
const MISSING_ADDR = 'jwt is missing addr claim'
const TOKEN_REFUSED = (reason: string) => `The wallet's token was refused (${reason})`
const OTHER_ACCOUNT = 'The wallet connected with another account than the required one'
const OTHER_GROUP = 'The wallet does not act for the required group'
const NO_GROUPS = 'This page accepts no wallet that acts for a group'

function refused(reason: string) {
  return { ok: false, reason } as const
}

/** Bech32 may be written in upper case (BIP-173). */
function same(one: string | undefined, other: string | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase()
}
