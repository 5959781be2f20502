import { expect, test } from 'vitest'
import { beginPhone, renamePasskey, setQuestions } from './account-security.ts'
import { renameHostedAccount } from './hosted-wallet.ts'
import { login, setPassword } from './identity.ts'
import { answerQuestion, redeemRecoveryCode } from './two-factor.ts'

const uuid = '6d1f2c0e-8f5c-4b55-9d3b-0d6a3a3d7a10'
const email = 'ada@example.com'

/** Every call with something that a person types, and a body around it. */
const TYPED = [
  [login, (password: string) => ({ email, password })],
  [setPassword, (newPassword: string) => ({ newPassword })],
  [
    answerQuestion,
    (answer: string) => ({ loginUuid: uuid, answers: [{ securityQuestionUuid: uuid, answer }] }),
  ],
  [redeemRecoveryCode, (code: string) => ({ loginUuid: uuid, code })],
  [setQuestions, (answer: string) => ({ answers: [{ securityQuestionUuid: uuid, answer }] })],
  [beginPhone, (phone: string) => ({ phone })],
  [renamePasskey, (name: string) => ({ uuid, name })],
  [renameHostedAccount, (name: string) => ({ address: 'tp1', name })],
] as const

test.each(TYPED)(
  '8 $name: what was typed too long or pasted unseen is refused in a sentence',
  (call, body) => {
    const refusalOf = (typed: string) => {
      const messages = call.body.safeParse(body(typed)).error?.issues.map(({ message }) => message)
      return messages?.filter((message) => message.startsWith('Please')) ?? []
    }
    expect(refusalOf('a')).toEqual([])
    expect(refusalOf('x'.repeat(500))).toEqual([
      expect.stringMatching(/^Please .* characters at most\.$/),
    ])
    expect(refusalOf('a\u0007b')).toEqual([
      'Please type it by hand: it holds a character that cannot be seen.',
    ])
  },
)
