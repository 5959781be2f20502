import type { Clock } from '../clock.ts'
import { hashAnswer } from '../secrets/answers.ts'
import { hashPassword } from '../secrets/password-hash.ts'
import { recoveryCodeHash } from '../secrets/recovery-codes.ts'
import { TOTP_ALIAS } from '../secrets/totp.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Network } from '../secrets/wallet-key.ts'
import type { AllStores, Stores } from '../stores.ts'
import { DEMONSTRATION_PEOPLE, type DemonstrationFactors } from './people.ts'
import { addWallets, prepareWallets } from './seed-wallets.ts'

/**
 * Cached, because hashing takes longer than everything else and several servers in one process seed the same accounts.
 */
const hashes = new Map<string, Promise<string>>()

function hashed(secret: string, hash: (secret: string) => Promise<string>): Promise<string> {
  const key = `${hash.name} ${secret}`
  const known = hashes.get(key) ?? hash(secret)
  hashes.set(key, known)
  return known
}

/** Adds the demonstration accounts that do not exist yet; existing ones are not changed. */
export async function seedPeople(deps: {
  readonly stores: AllStores
  readonly vault: Vault
  readonly clock: Clock
  readonly network: Network
}): Promise<void> {
  const { stores, vault, clock, network } = deps
  for (const { email, password, state, factors, wallets } of DEMONSTRATION_PEOPLE) {
    if (await stores.identities.findByEmail(email)) continue
    const at = clock()
    const passwordHash = password === undefined ? null : await hashed(password, hashPassword)
    const answers = await hashedAnswers(factors)
    const prepared = await prepareWallets(wallets, { vault, network })
    await stores.atomically(async (transaction) => {
      const added = await transaction.identities.insert({
        email,
        organizationCode: state.organizationCode,
        at,
        profileType: state.profileType ?? 'CUSTOMER',
        passwordHash,
        passwordExpiredAt: state.passwordExpired ? at : null,
        lockedAt: state.locked ? at : null,
        loginRedirect: state.loginRedirect ?? null,
      })
      if (added === undefined) return
      await addWallets(transaction, prepared, { identityId: added.id, at })
      if (factors === undefined) return
      await addFactors(transaction, { identityId: added.id, factors, vault, at })
      if (answers.length > 0) await transaction.securityAnswers.replace(added.id, answers, at)
    })
  }
}

/** Hashing takes long, so it runs before the transaction. */
function hashedAnswers({ answers = [] }: DemonstrationFactors = {}) {
  return Promise.all(
    answers.map(async ({ questionUuid, answer }) => ({
      questionId: questionUuid,
      answerHash: await hashed(answer, hashAnswer),
    })),
  )
}

async function addFactors(
  { identities, totp, recoveryCodes }: Stores,
  account: { identityId: string; factors: DemonstrationFactors; vault: Vault; at: number },
): Promise<void> {
  const { identityId, factors, vault, at } = account
  const alias = (type: 'Phone' | 'TOTP', value: string) =>
    identities.insertAlias({ identityId, type, value, verifiedAt: at, at })
  if (factors.email) await identities.updateEmailFactor(identityId, at)
  if (factors.phone !== undefined) await alias('Phone', factors.phone)
  if (factors.totpSecret !== undefined) {
    const pendingSecret = vault.wrap('totp', factors.totpSecret)
    await totp.upsertPending(identityId, pendingSecret)
    await totp.consumePending({ identityId, pendingSecret, step: 0, at })
    await alias('TOTP', TOTP_ALIAS)
  }
  if (factors.recoveryCodes !== undefined) {
    const hashes = factors.recoveryCodes.map((code) => recoveryCodeHash(identityId, code))
    await recoveryCodes.replace(identityId, hashes, at)
  }
}
