import type { BotCheckConfig } from '../config.ts'
import { type AltchaNeeds, altchaCheck } from './altcha.ts'
import type { BotCheck } from './check.ts'
import { tokenCheck } from './token-check.ts'

export type { BotCheck } from './check.ts'

/** The configured bot check. */
export function botCheckOf(config: BotCheckConfig, needs: AltchaNeeds): BotCheck {
  switch (config.kind) {
    case 'off':
      return { page: { kind: 'off' }, verify: async () => true }
    case 'altcha':
      return altchaCheck(needs)
    case 'recaptcha':
    case 'turnstile':
      return tokenCheck({ ...config, log: needs.log })
  }
}
