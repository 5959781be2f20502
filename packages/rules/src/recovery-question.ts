import type { SecurityQuestion } from '@portico/contracts/two-factor'

/** The number of questions to draw from (§4.5). */
const CANDIDATES = 3

/** A random one of the first three security questions (§4.5); `undefined` if there are none. `random` is in [0, 1). */
export function recoveryQuestion(
  questions: readonly SecurityQuestion[],
  random: number,
): SecurityQuestion | undefined {
  const first = questions.slice(0, CANDIDATES)
  return first[Math.floor(random * first.length)]
}
