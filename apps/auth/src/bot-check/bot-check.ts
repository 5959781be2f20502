/**
 * The configured bot check. The built-in one is a proof of work, solved in a worker while the user types; reCAPTCHA and
 * Turnstile are loaded only if an operator configured them.
 */
import { ApiError } from '@portico/client/api-error'
import type { Client } from '@portico/client/client'
import { BOT_CHECK_HEADER } from '@portico/contracts/identity'
import { PAGE_MESSAGES } from '@portico/contracts/notices'
import type { BotCheck as Configured } from '@portico/contracts/page-data'
import type { BotCheck, Environment } from '../environment.ts'
import { BotCheckBlocked } from './bot-check-blocked.ts'

const BLOCKED =
  'We could not confirm that you are a person: your browser blocks a part of this page. Please allow background scripts (workers) for this site, or use another browser.'

/** Fetches one token per call; does no work before the first call. */
type TokenSource = () => Promise<string>

export interface BotCheckDeps {
  readonly client: Client
  readonly clock: () => number
}

/** A prefetched token older than this is replaced; every service rejects tokens much older than this. */
const MAX_TOKEN_AGE_MS = 90_000

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
 * Creates the bot check. Each token is used once; the next request gets a new one. If no token can be obtained, the
 * request that needs it fails, and the next request tries again.
 */
export function botCheck(configured: Configured, deps: BotCheckDeps): BotCheck {
  if (configured.kind === 'off') {
    return { prepare: () => undefined, token: async () => undefined }
  }
  let source: Promise<TokenSource> | undefined
  let prepared: { readonly token: Promise<string>; readonly at: number } | undefined

  async function fetchToken(): Promise<string> {
    source ??= sourceOf(configured, deps)
    const attempted = source
    const getToken = await attempted.catch((error: unknown) => {
      if (source === attempted) source = undefined
      throw error
    })
    return getToken()
  }

  function prepare(): NonNullable<typeof prepared> {
    if (prepared !== undefined && deps.clock() - prepared.at < MAX_TOKEN_AGE_MS) return prepared
    const token = fetchToken()
    const current = { token, at: deps.clock() }
    prepared = current
    token.catch(() => {
      if (prepared === current) prepared = undefined
    })
    return current
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
 * The headers of a call that requires a bot check.
 *
 * @throws ApiError - the check could not be run. A script that failed to load or was blocked by the browser is not a
 * defect
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
    // A reload does not help where the browser blocks the check.
    const message = error instanceof BotCheckBlocked ? BLOCKED : PAGE_MESSAGES['bot-check-failed']
    throw new ApiError('refused', message, { data: { code: 'bot-check-failed' }, cause: error })
  }
}
