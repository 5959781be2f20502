/**
 * The strength of a passphrase. The large dictionaries of passwords are left out, because the extension and the phone's first
 * load are limited in size; the recovery words and parts of the most common passwords replace them.
 */
import { RECOVERY_WORDS } from '@portico/keys/mnemonic'
import type { StrengthMeterProps } from '@portico/ui/strength-meter'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** Parts of the most common passwords. */
const COMMON = (
  'password passwort passwd pass word admin welcome login qwerty qwertz azerty asdf asdfgh zxcvbn zxcvbnm letmein ' +
  'iloveyou monkey dragon football baseball master shadow superman batman michael jordan jennifer sunshine princess ' +
  'trustno1 starwars hunter killer freedom whatever charlie summer winter spring autumn secret hello test guest ' +
  'changeme default access flower cookie banana money bitcoin crypto wallet passphrase recovery words ninja mustang'
).split(' ')

const ADVICE = [
  'Very easy to guess. Try four unrelated words.',
  'Easy to guess. Try four unrelated words.',
  'Almost there. Add another word or two.',
  'This is a strong passphrase.',
  'This is a very strong passphrase.',
] as const

/** Longer passphrases are strong by length alone; measuring all of them would only take time. */
const MEASURED_CHARACTERS = 100

const meter = new ZxcvbnFactory({
  dictionary: { common: COMMON, recoveryWords: [...RECOVERY_WORDS] },
})

export function passphraseStrength(passphrase: string): StrengthMeterProps {
  const { score } = meter.check(passphrase.slice(0, MEASURED_CHARACTERS))
  return { score, advice: ADVICE[score] }
}
