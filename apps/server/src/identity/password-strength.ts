/** The estimator costs a quarter of a second and many megabytes to load, so it comes with the first new password. */
let estimator: ReturnType<typeof load> | undefined

/** Estimating takes time that grows faster than the text; what makes a password strong shows in its beginning. */
const LENGTH_LOOKED_AT = 40

/** How hard a password is to guess, from 0 to 4, for somebody who knows the e-mail address. */
export async function passwordStrength(password: string, email: string): Promise<number> {
  estimator ??= load()
  const { check } = await estimator
  return check(password.slice(0, LENGTH_LOOKED_AT), [email, ...email.split(/[@.]/)])
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
    check: (password: string, known: string[]): number => factory.check(password, known).score,
  }
}
