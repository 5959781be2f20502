/** Loaded for the first new password, because the estimator takes a quarter of a second and many megabytes. */
let estimator: ReturnType<typeof load> | undefined

/** The estimator's run time grows faster than the length, and the first characters suffice to judge strength. */
const LENGTH_CHECKED = 40

/** Scores a password from 0 to 4 for an attacker who knows the e-mail address. */
export async function passwordStrength(password: string, email: string): Promise<number> {
  estimator ??= load()
  const { check } = await estimator
  return check(password.slice(0, LENGTH_CHECKED), [email, ...email.split(/[@.]/)])
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
