import type { SecurityQuestion } from '@portico/contracts/two-factor'

/** How many of the questions are drawn from (§4.5). */
const ASKED_FROM = 3

/** A random one of the first three security questions (§4.5), or nothing where there are none. `chance` is in [0, 1). */
export function recoveryQuestion(
  questions: readonly SecurityQuestion[],
  chance: number,
): SecurityQuestion | undefined {
  const first = questions.slice(0, ASKED_FROM)
  return first[Math.floor(chance * first.length)]
}
