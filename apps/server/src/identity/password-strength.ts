import { passwordWords, withoutWords } from '@portico/rules/password-words'

/** Loaded for the first new password, because the estimator takes a quarter of a second and many megabytes. */
let estimator: ReturnType<typeof load> | undefined

/** The estimator's run time grows faster than the length, and the first characters suffice to judge strength. */
const LENGTH_CHECKED = 40

/** Scores a password from 0 to 4 for an attacker who knows the e-mail address and the lender; their words count for nothing. */
export async function passwordStrength(
  password: string,
  { email, companyNames }: { readonly email: string; readonly companyNames: readonly string[] },
): Promise<number> {
  estimator ??= load()
  const { check } = await estimator
  const words = passwordWords(email, companyNames)
  // The rest alone could look stronger than the whole.
  const scores = [password, withoutWords(password, words)].map((each) =>
    check(each.slice(0, LENGTH_CHECKED), words),
  )
  return Math.min(...scores)
}

async function load() {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  const factory = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    l33tMaxSubstitutions: 16,
  })
  return {
    check: (password: string, userInputs: string[]): number =>
      factory.check(password, userInputs).score,
  }
}
