import { Refusal } from '@portico/contracts/errors'
import { BOT_CHECK_HEADER } from '@portico/contracts/identity'
import type { BotCheckConfig } from '../config.ts'
import { type AltchaDeps, altchaCheck } from './altcha.ts'
import type { BotCheck } from './check.ts'
import { tokenCheck } from './token-check.ts'

export type { BotCheck } from './check.ts'

export function botCheckOf(config: BotCheckConfig, deps: AltchaDeps): BotCheck {
  switch (config.kind) {
    case 'off':
      return { page: { kind: 'off' }, verify: async () => true }
    case 'altcha':
      return altchaCheck(deps)
    case 'recaptcha':
    case 'turnstile':
      return tokenCheck({ ...config, log: deps.log })
  }
}

/** @throws Refusal - `bot-check-failed` */
export async function assertBotCheckPassed(
  botCheck: BotCheck,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  network: string,
): Promise<void> {
  const token = headers[BOT_CHECK_HEADER]
  if (!(await botCheck.verify(typeof token === 'string' ? token : undefined, network))) {
    throw new Refusal('bot-check-failed')
  }
}
