import type { LoginResponse } from '@portico/contracts/identity'
import type { Outbox } from '../../mail/outbox.ts'
import type { SignInMethod } from '../../sessions/sessions.ts'
import type { Stores } from '../../stores.ts'
import type { AliasRow, IdentityRow } from '../identities.store.ts'
import { maskEmail, maskPhone } from './mask.ts'

type Options = Omit<NonNullable<LoginResponse['twoFactorOptions']>, 'loginUuid'>

const MASKED: Readonly<Record<AliasRow['type'], (value: string) => string>> = {
  Email: maskEmail,
  Phone: maskPhone,
  TOTP: (value) => value,
}

type Texts = Pick<Outbox, 'canSendTexts'>

/** The aliases that matter for the second step. */
interface FactorAliases {
  /** Whether the account has a second factor. */
  readonly required: boolean
  /** The aliases that can be used now. */
  readonly offered: readonly AliasRow[]
}

/**
 * The aliases that add to the first factor: an e-mailed passcode, for example, already proves the mailbox. Without a
 * text gateway phones are not offered, but they still require a second step; otherwise removing the gateway would open
 * accounts. An e-mailed code, or a recovery method, replaces them. After a login at an identity provider an e-mailed code is used only
 * if its owner chose it and has no other factor: the same administrators may run the mail server and the provider.
 */
export async function factorAliases(
  { identities }: Pick<Stores, 'identities'>,
  identity: Pick<IdentityRow, 'id' | 'emailFactorAt'>,
  { method, canSendTexts }: { readonly method: SignInMethod } & Texts,
): Promise<FactorAliases> {
  // A passkey is two factors in one.
  if (method === 'passkey') return { required: false, offered: [] }
  const verified = (await identities.listAliases(identity.id)).filter(
    ({ verifiedAt }) => verifiedAt !== null,
  )
  const others = verified.filter(({ type }) => type !== 'Email')
  const emailAdds = method === 'provider' ? others.length === 0 : method !== 'passcode'
  const byEmail = emailAdds && identity.emailFactorAt !== null
  const factors = byEmail ? verified : others
  const required = factors.length > 0
  const usable = factors.filter(({ type }) => canSendTexts || type !== 'Phone')
  const emailReplacesPhone = required && usable.length === 0 && emailAdds
  return {
    required,
    offered: emailReplacesPhone ? verified.filter(({ type }) => type === 'Email') : usable,
  }
}

/**
 * The methods for the second step after a first factor, or undefined if none is required. Recovery codes and passkeys
 * are offered in addition, but do not themselves require a second step.
 */
export async function loginOptions(
  stores: Pick<Stores, 'identities' | 'passkeys' | 'recoveryCodes'>,
  identity: IdentityRow,
  login: { readonly method: SignInMethod } & Texts,
): Promise<Options | undefined> {
  const { required, offered } = await factorAliases(stores, identity, login)
  const passkeys = await stores.passkeys.list(identity.id)
  // After a login at an identity provider a passkey is required, too: its administrators do not have it.
  if (!required && !(login.method === 'provider' && passkeys.length > 0)) return undefined
  const recoveryCodes = await stores.recoveryCodes.countUnused(identity.id)
  return {
    aliases: offered.map(({ id, type, value }) => ({ uuid: id, type, value: MASKED[type](value) })),
    emailFactorSupported: offered.some(({ type }) => type === 'Email'),
    totpEnabled: offered.some(({ type }) => type === 'TOTP'),
    ...(passkeys.length > 0 ? { passkeyEnabled: true } : {}),
    ...(recoveryCodes > 0 ? { recoveryCodesEnabled: true } : {}),
  }
}
