/**
 * The bot check of the page, whichever is configured. The product's own is a proof of work, solved in a worker while
 * the person types; reCAPTCHA and Turnstile are fetched only where an operator chose them.
 */
import { ApiError } from '@portico/client/api-error'
import type { Client } from '@portico/client/client'
import { ERROR_CATALOGUE } from '@portico/contracts/errors'
import { BOT_CHECK_HEADER } from '@portico/contracts/identity'
import type { BotCheck as Configured } from '@portico/contracts/page-data'
import type { BotCheck, Environment } from '../environment.ts'

/** Gets one token, and begins nothing before it is asked to. */
type TokenSource = () => Promise<string>

/** What a bot check is made of. */
export interface BotCheckDeps {
  readonly client: Client
  readonly clock: () => number
}

/** A token made ahead of time is used for this long; every service takes back older ones. */
const FRESH_MS = 90_000

async function sourceOf(configured: Configured, { client }: BotCheckDeps): Promise<TokenSource> {
  switch (configured.kind) {
    case 'altcha':
      return (await import('./altcha.ts')).altcha(client)
    case 'recaptcha':
      return (await import('./recaptcha.ts')).recaptcha(configured.siteKey)
    case 'turnstile':
      return (await import('./turnstile.ts')).turnstile(configured.siteKey)
    case 'off':
      throw new Error('No bot check is configured, so there is no token to get')
  }
}

/**
 * Makes the bot check. Each token is used once: the next request gets a new one. One that cannot be made fails the
 * request that needs it, and the request after that tries again.
 */
export function botCheck(configured: Configured, deps: BotCheckDeps): BotCheck {
  if (configured.kind === 'off') {
    return { prepare: () => undefined, token: async () => undefined }
  }
  let source: Promise<TokenSource> | undefined
  let prepared: { readonly token: Promise<string>; readonly at: number } | undefined

  async function get(): Promise<string> {
    source ??= sourceOf(configured, deps)
    const begun = source
    const getToken = await begun.catch((error: unknown) => {
      if (source === begun) source = undefined
      throw error
    })
    return getToken()
  }

  function prepare(): NonNullable<typeof prepared> {
    if (prepared !== undefined && deps.clock() - prepared.at < FRESH_MS) return prepared
    const token = get()
    const begun = { token, at: deps.clock() }
    prepared = begun
    token.catch(() => {
      if (prepared === begun) prepared = undefined
    })
    return begun
  }

  return {
    prepare: () => void prepare(),
    token() {
      const { token } = prepare()
      prepared = undefined
      return token
    },
  }
}

/**
 * The headers of a call that only people may make.
 *
 * @throws ApiError - where the check could not be made: a script that did not arrive, or that a browser blocks, is no
 * defect of ours
 */
export async function botCheckHeaders({
  botCheck,
  reportError,
}: Pick<Environment, 'botCheck' | 'reportError'>): Promise<Record<string, string>> {
  try {
    const token = await botCheck.token()
    return token === undefined ? {} : { [BOT_CHECK_HEADER]: token }
  } catch (error) {
    if (error instanceof ApiError) throw error
    reportError(error)
    const { message } = ERROR_CATALOGUE['bot-check-failed']
    throw new ApiError('refused', message, { data: { code: 'bot-check-failed' }, cause: error })
  }
}
