/**
 * A sign-in that has expired begins anew with the application's request. The address of the login page carries the request, because
 * it is stored only as long as the sign-in lasts. Following the link is the same as following the application's own.
 */
import { OPENID_SIGN_IN_LIFETIME_MS, ROUTER_BASE } from '@portico/contracts/limits'
import { redirectTarget } from '@portico/rules/redirect-target'
import type { FastifyReply } from 'fastify'
import type { BrandAppearance } from '../brands/brands.ts'
import { escapeHtml } from '../escape-html.ts'
import { sendPlainPage } from '../http/plain-page.ts'
import type { Stores } from '../stores.ts'
import type { ClientFile } from './client-file.ts'
import { OPENID_PATH } from './open-provider.ts'

/** What the pages of a sign-in in progress return to. */
export const INTERACTION_PATH = `${OPENID_PATH}/interaction`

/** Pages do not return to addresses of more than 2,048 characters, and encode them into each other's. */
const MAX_REQUEST_LENGTH = 1000
const CLIENT = 'client_id'
const REDIRECT = 'redirect_uri'
/** An ID token is not among them, because it names the user. A request with one does not begin anew. */
const CARRIED = [
  CLIENT,
  REDIRECT,
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'acr_values',
  'login_hint',
  'ui_locales',
]
const ID_TOKEN = 'id_token_hint'
const MINUTES = OPENID_SIGN_IN_LIFETIME_MS / 60_000

/** The query that carries a request; only its client if the request must be pushed, is long, or has an ID token. */
export function carriedRequest(
  params: Readonly<Record<string, string | undefined>>,
  { clientId, pushedRequestsOnly }: Pick<ClientFile, 'clientId' | 'pushedRequestsOnly'>,
): string {
  const query = carried((name) => params[name])
  const isComplete = params[ID_TOKEN] === undefined && query.length <= MAX_REQUEST_LENGTH
  return isComplete && !pushedRequestsOnly
    ? query
    : new URLSearchParams({ [CLIENT]: clientId }).toString()
}

function carried(valueOf: (name: string) => string | null | undefined): string {
  const entries = CARRIED.map((name) => [name, valueOf(name) ?? ''])
  return new URLSearchParams(entries.filter(([, value]) => value !== '')).toString()
}

/** The client of a carried request. */
export const carriedClient = (query: URLSearchParams): string => query.get(CLIENT) ?? ''

/** One press begins the sign-in anew. Without the request, it leads to the application. */
export function sendExpiredPage(
  reply: FastifyReply,
  query: URLSearchParams,
  client: ClientFile,
  { organization: { companyInfo }, css }: BrandAppearance,
): FastifyReply {
  const { name, logoPath, darkLogoPath } = companyInfo
  const application = escapeHtml(client.name)
  const reason = `It is more than ${MINUTES} minutes old, or it is already finished.`
  const link = (href: string, text: string) => `<p><a href="${escapeHtml(href)}">${text}</a></p>`
  const origin = URL.parse(client.redirectUris[0] ?? '')?.origin ?? 'null'
  const again = `${OPENID_PATH}/authorize?${carried((param) => query.get(param))}`
  return sendPlainPage(reply.code(410).header('cache-control', 'no-store'), {
    title: `This sign-in has expired | ${name}`,
    heading: 'This sign-in has expired',
    brand: { css, name, logoPath, darkLogoPath },
    html: query.has(REDIRECT)
      ? `<p>${reason} Start again, and you return to ${application} when you are logged in.</p>
${link(again, 'Start again')}`
      : `<p>${reason} Go back to ${application} and log in again.</p>
${origin === 'null' ? '' : link(`${origin}/`, `Go to ${application}`)}`,
  })
}

/** Without a known client there is nothing to begin anew. */
export function sendUnknownExpiredPage(reply: FastifyReply): FastifyReply {
  return sendPlainPage(reply.code(410).header('cache-control', 'no-store'), {
    title: 'This sign-in has expired',
    heading: 'This sign-in has expired',
    html: '<p>Go back to the application and log in again.</p>',
  })
}

/** Confirming a login is itself a page that login may return to. */
const CONFIRM_PATH = `${ROUTER_BASE}/confirm?`

/** The sign-in that a page returns to, by its `redirectUrl`. One that no longer exists has expired. */
export async function findPageSignIn(
  { openid }: Pick<Stores, 'openid'>,
  redirectUrl: unknown,
): Promise<{ readonly returnTo: string; readonly expiresAt: number } | undefined> {
  if (typeof redirectUrl !== 'string') return undefined
  const returnTo = redirectTarget(redirectUrl)
  if (returnTo.startsWith(CONFIRM_PATH)) {
    const query = new URLSearchParams(returnTo.slice(CONFIRM_PATH.length))
    return findPageSignIn({ openid }, query.get('redirectUrl'))
  }
  const [, uid] = new RegExp(`^${INTERACTION_PATH}/([\\w-]+)(?:\\?|$)`).exec(returnTo) ?? []
  if (uid === undefined) return undefined
  const record = await openid.findRecord('Interaction', uid)
  return { returnTo, expiresAt: record?.expiresAt ?? 0 }
}
