import type { BotCheck as PageBotCheck } from '@portico/contracts/page-data'

/** Tells people from programs. */
export interface BotCheck {
  /** What a page needs to run its side. */
  readonly page: PageBotCheck
  /** A puzzle, where the check is our own. */
  readonly challenge?: () => Promise<Record<string, unknown>>
  /** Whether a page's answer is right; each answer is right once. */
  readonly verify: (token: string | undefined, network: string) => Promise<boolean>
}
