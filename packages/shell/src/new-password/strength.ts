import { passwordWords, withoutWords } from '@portico/rules/password-words'
import type { Strength } from './new-password.flow.ts'

/** Longer passwords are strong by length alone; measuring all of them would only take time. */
const MEASURED_CHARACTERS = 100

const ADVICE: Readonly<Record<Strength['score'], string>> = {
  0: 'Very easy to guess. Try three or four unrelated words.',
  1: 'Easy to guess. Try three or four unrelated words.',
  2: 'Almost there. Another word or two would do.',
  3: 'This is a strong password.',
  4: 'This is a very strong password.',
}

/** Shown before anything is typed. */
export const FIRST_ADVICE = 'Three or four unrelated words make a good password.'

const load = async () => {
  const [{ ZxcvbnFactory }, common] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs })
}

/**
 * Measures passwords of the user with this email address at this lender. The word lists are loaded immediately, since they are needed
 * soon. If they fail to load, strength is not measured and only the server's check applies.
 */
export function strengthMeter(email: string, companyNames: readonly string[]) {
  const loading = load().catch(() => undefined)
  const words = passwordWords(email, companyNames)
  return async (password: string): Promise<Strength | undefined> => {
    const meter = await loading
    if (meter === undefined || password === '') return undefined
    // The server measures in the same way: the user's and the lender's own words count for nothing.
    const measured = password.slice(0, MEASURED_CHARACTERS)
    const scores = [measured, withoutWords(measured, words)].map(
      (each) => meter.check(each, words).score,
    )
    const score = scores.reduce((lowest, each) => (each < lowest ? each : lowest))
    return { score, advice: ADVICE[score] }
  }
}
