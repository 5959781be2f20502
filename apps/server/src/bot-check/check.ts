import type { BotCheck as PageBotCheck } from '@portico/contracts/page-data'

export interface BotCheck {
  /** The client-side configuration. */
  readonly page: PageBotCheck
  /** Creates a challenge; only the built-in check has one. */
  readonly challenge?: () => Promise<Record<string, unknown>>
  /** Verifies a page's token; each token is accepted once. */
  readonly verify: (token: string | undefined, network: string) => Promise<boolean>
}
