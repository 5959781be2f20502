/**
 * The key keeper in a window, on top of the vault's keeper, which may be in an extension's worker. User input is processed
 * here: keys are derived from passphrases, and recovery words are validated. The vault's keeper counts the attempts.
 */
import { Refusal } from '@portico/contracts/errors'
import { base64Of, bytesOfBase64 } from '@portico/keys/bytes'
import { newPassphraseError } from '@portico/rules/field-errors'
import type { DeviceKeyKeeper } from '@portico/wallet-kit/device-wallet'
import {
  ARGON2ID,
  KEY_BYTES,
  type PassphraseDerivation,
  type PassphraseKey,
  SALT_BYTES,
} from './passphrase-key.ts'
import type { VaultKeeper } from './vault-keeper.ts'

export function windowKeeper(vault: VaultKeeper): DeviceKeyKeeper {
  /** The key to compare with the stored one. */
  const keyOf = async (passphrase: string) =>
    derivePassphraseKey(passphrase, await vault.passphraseDerivation())

  return {
    ...vault,

    async createVault({ words, passphrase, accountName }) {
      requirePassphrase(passphrase)
      await vault.createVault({
        words: await validateWords(words),
        passphraseKey: await newPassphraseKey(passphrase),
        accountName,
      })
    },

    unlock: async (secret) =>
      vault.unlock(
        secret === 'passkey' ? secret : { passphraseKey: await keyOf(secret.passphrase) },
      ),

    revealWords: async (passphrase) => vault.revealWords(await keyOf(passphrase)),

    async changePassphrase({ current, next }) {
      requirePassphrase(next)
      await vault.changePassphrase({
        current: await keyOf(current),
        next: await newPassphraseKey(next),
      })
    },

    addPasskey: async (passphrase) => vault.addPasskey(await keyOf(passphrase)),
  }
}

/** A key from a new passphrase, with a fresh salt. */
export function newPassphraseKey(passphrase: string): Promise<PassphraseKey> {
  const salt = base64Of(crypto.getRandomValues(new Uint8Array(SALT_BYTES)))
  return derivePassphraseKey(passphrase, { algorithm: 'argon2id', ...ARGON2ID, salt })
}

/** @throws Refusal - `passphrase-wrong` if it is empty */
export async function derivePassphraseKey(
  passphrase: string,
  derivation: PassphraseDerivation,
): Promise<PassphraseKey> {
  // The library refuses to derive a key from an empty passphrase.
  if (passphrase === '') throw new Refusal('passphrase-wrong')
  const { argon2id } = await import('./argon2id.ts')
  const raw = await argon2id({
    // Keyboards encode the same character differently.
    password: passphrase.normalize('NFKC'),
    // The schema has checked the format.
    salt: bytesOfBase64(derivation.salt) ?? new Uint8Array(),
    memorySize: derivation.memoryKiB,
    iterations: derivation.passes,
    parallelism: derivation.lanes,
    hashLength: KEY_BYTES,
    outputType: 'binary',
  })
  const key = base64Of(raw)
  raw.fill(0)
  return { derivation, key }
}

/** @throws Refusal - `passphrase-too-short` */
function requirePassphrase(passphrase: string): void {
  if (newPassphraseError(passphrase) !== undefined) throw new Refusal('passphrase-too-short')
}

/**
 * The recovery words with single spaces, in lower case. The word list is loaded when it is first needed.
 *
 * @throws Refusal - `recovery-words-invalid`
 */
async function validateWords(text: string): Promise<string> {
  const { wordsProblem } = await import('@portico/keys/mnemonic')
  const words = text.trim().toLowerCase().split(/\s+/)
  if (wordsProblem(words) !== undefined) throw new Refusal('recovery-words-invalid')
  return words.join(' ')
}
