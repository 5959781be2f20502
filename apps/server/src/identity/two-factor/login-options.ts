import type { LoginResponse } from '@portico/contracts/identity'
import type { Outbox } from '../../mail/outbox.ts'
import type { SignInMethod } from '../../sessions/sessions.ts'
import type { Stores } from '../../stores.ts'
import type { AliasRow, IdentityRow } from '../identities.store.ts'
import { maskedEmail, maskedPhone } from './mask.ts'

type Options = Omit<NonNullable<LoginResponse['twoFactorOptions']>, 'loginUuid'>

const MASKED: Readonly<Record<AliasRow['type'], (value: string) => string>> = {
  Email: maskedEmail,
  Phone: maskedPhone,
  TOTP: (value) => value,
}

/** Whether text messages leave; the outbox knows. */
type Texts = Pick<Outbox, 'takesTexts'>

/** The aliases of somebody as far as the second step is concerned. */
interface FactorAliases {
  /** Whether there is a factor, so that a second step is asked for. */
  readonly asked: boolean
  /** Those that can be used now. */
  readonly offered: readonly AliasRow[]
}

/**
 * The aliases that prove more than the first factor did: a mailed passcode proves the mailbox already. Where no text
 * messages leave, phones are not offered. They ask for a second step all the same, lest a gateway that was taken away
 * opens accounts: a mailed code stands in for them, or what is left to recover with.
 */
export async function factorAliases(
  { identities }: Pick<Stores, 'identities'>,
  identity: Pick<IdentityRow, 'id' | 'email_factor_at'>,
  { method, takesTexts }: { readonly method: SignInMethod } & Texts,
): Promise<FactorAliases> {
  // A passkey is two factors in one.
  if (method === 'passkey') return { asked: false, offered: [] }
  const verified = (await identities.aliases(identity.id)).filter(
    ({ verified_at }) => verified_at !== null,
  )
  const mailProves = method !== 'passcode'
  const byEmail = mailProves && identity.email_factor_at !== null
  const factors = verified.filter(({ type }) => type !== 'Email' || byEmail)
  const asked = factors.length > 0
  const usable = factors.filter(({ type }) => takesTexts || type !== 'Phone')
  const standIn = asked && usable.length === 0 && mailProves
  return { asked, offered: standIn ? verified.filter(({ type }) => type === 'Email') : usable }
}

/**
 * How somebody may take the second step after a first factor; nothing where none is asked for. Recovery codes help
 * whoever has a factor and lost it, and a passkey is there for whoever has it at hand: by themselves they ask nobody for
 * a second step.
 */
export async function loginOptions(
  stores: Stores,
  identity: IdentityRow,
  given: { readonly method: SignInMethod } & Texts,
): Promise<Options | undefined> {
  const { asked, offered } = await factorAliases(stores, identity, given)
  if (!asked) return undefined
  const passkeys = await stores.passkeys.of(identity.id)
  const recoveryCodes = await stores.recoveryCodes.left(identity.id)
  return {
    aliases: offered.map(({ id, type, value }) => ({ uuid: id, type, value: MASKED[type](value) })),
    emailFactorSupported: offered.some(({ type }) => type === 'Email'),
    totpEnabled: offered.some(({ type }) => type === 'TOTP'),
    ...(passkeys.length > 0 ? { passkeyEnabled: true } : {}),
    ...(recoveryCodes > 0 ? { recoveryCodesEnabled: true } : {}),
  }
}
