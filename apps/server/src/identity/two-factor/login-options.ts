import type { LoginResponse } from '@portico/contracts/identity'
import type { SignInMethod } from '../../sessions/sessions.ts'
import type { Stores } from '../../stores.ts'
import type { AliasRow, IdentityRow } from '../identities.store.ts'
import { maskedEmail, maskedPhone } from './masked.ts'

type Options = Omit<NonNullable<LoginResponse['twoFactorOptions']>, 'loginUuid'>

const MASKED: Readonly<Record<AliasRow['type'], (value: string) => string>> = {
  Email: maskedEmail,
  Phone: maskedPhone,
  TOTP: (value) => value,
}

/** The aliases that prove more than the first factor did: a mailed passcode proves the mailbox already. */
export async function factorAliases(
  { identities }: Pick<Stores, 'identities'>,
  identity: Pick<IdentityRow, 'id' | 'email_factor_at'>,
  method: SignInMethod,
): Promise<readonly AliasRow[]> {
  const byEmail = identity.email_factor_at !== null && method !== 'passcode'
  // A passkey is two factors in one.
  if (method === 'passkey') return []
  const aliases = await identities.aliases(identity.id)
  return aliases.filter(
    ({ type, verified_at }) => verified_at !== null && (type !== 'Email' || byEmail),
  )
}

/**
 * How somebody may take the second step after a first factor; nothing where none is asked for. Recovery codes help
 * whoever has a factor and lost it, and a
 * passkey is there for whoever has it at hand: by themselves they ask nobody for a second step.
 */
export async function loginOptions(
  stores: Stores,
  identity: IdentityRow,
  method: SignInMethod,
): Promise<Options | undefined> {
  const aliases = await factorAliases(stores, identity, method)
  if (aliases.length === 0) return undefined
  const passkeys = await stores.passkeys.of(identity.id)
  const recoveryCodes = await stores.recoveryCodes.left(identity.id)
  return {
    aliases: aliases.map(({ id, type, value }) => ({ uuid: id, type, value: MASKED[type](value) })),
    emailFactorSupported: aliases.some(({ type }) => type === 'Email'),
    totpEnabled: aliases.some(({ type }) => type === 'TOTP'),
    ...(passkeys.length > 0 ? { passkeyEnabled: true } : {}),
    ...(recoveryCodes > 0 ? { recoveryCodesEnabled: true } : {}),
  }
}
