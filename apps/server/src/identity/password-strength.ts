import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as english from '@zxcvbn-ts/language-en'

const estimator = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
})

/** How hard a password is to guess, from 0 to 4, for somebody who knows the e-mail address. */
export function passwordStrength(password: string, email: string): number {
  return estimator.check(password, [email, ...email.split(/[@.]/)]).score
}
