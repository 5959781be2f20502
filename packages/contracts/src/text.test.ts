import { expect, test } from 'vitest'
import { beginPhone, renamePasskey, setQuestions } from './account-security.ts'
import { renameHostedAccount } from './hosted-wallet.ts'
import { login, setPassword } from './identity.ts'
import { answerQuestion, redeemRecoveryCode } from './two-factor.ts'

const uuid = '6d1f2c0e-8f5c-4b55-9d3b-0d6a3a3d7a10'
const email = 'ada@example.com'

/** Every call with typed input, and a body for it. */
const TYPED_INPUTS = [
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

test.each(TYPED_INPUTS)(
  '8 $name: input that is too long or has invisible characters is refused with a sentence',
  (call, body) => {
    const messagesOf = (input: string) => {
      const messages = call.body.safeParse(body(input)).error?.issues.map(({ message }) => message)
      return messages?.filter((message) => message.startsWith('Please')) ?? []
    }
    expect(messagesOf('a')).toEqual([])
    expect(messagesOf('x'.repeat(500))).toEqual([
      expect.stringMatching(/^Please .* characters at most\.$/),
    ])
    expect(messagesOf('a\u0007b')).toEqual([
      'Please type it by hand: it holds a character that cannot be seen.',
    ])
  },
)
