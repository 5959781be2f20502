/**
 * Binds sign-ins to the browser that began them, with one cookie for all. The library sets four cookies per sign-in; sign-ins that
 * are left open would displace the site's other cookies, and in the end requests would be too large.
 */
import { parseJson } from '@portico/contracts/parse-json'
import type { Context, Provider } from 'oidc-provider'
import * as z from 'zod/mini'
import type { Visitor } from '../http/visitor.ts'
import { constantTimeEqual, sha256 } from '../secrets/hashes.ts'
import type { Stores } from '../stores.ts'

/** The library's cookies, which no browser receives. */
export const INTERACTION_COOKIE = 'portico-openid-interaction'
export const RESUME_COOKIE = 'portico-openid-resume'

const StoredInteraction = z.object({
  /** The hash of the browser's secret. */
  cid: z.optional(z.string()),
  result: z.optional(z.object({ login: z.optional(z.object({ accountId: z.string() })) })),
})

/** A sign-in that this browser began. */
export interface OwnSignIn {
  readonly uid: string
  /** The hash of the browser's secret. */
  readonly browserHash: string
  /** The user who has logged in for it, if any. */
  readonly accountId: string | undefined
}

/** Returns a sign-in if this browser began it. */
export async function findOwnSignIn(
  { openid }: Pick<Stores, 'openid'>,
  { openidBrowsers }: Pick<Visitor, 'openidBrowsers'>,
  uid: string,
): Promise<OwnSignIn | undefined> {
  if (openidBrowsers.length === 0) return undefined
  const record = await openid.findRecord('Interaction', uid)
  const stored = StoredInteraction.safeParse(parseJson(record?.payload)).data
  const hash = stored?.cid
  const isOwn =
    hash !== undefined && openidBrowsers.some((secret) => constantTimeEqual(sha256(secret), hash))
  return isOwn ? { uid, browserHash: hash, accountId: stored?.result?.login?.accountId } : undefined
}

/**
 * Binds a sign-in to this browser, because the user asked for it. Tabs that open at once overwrite each other's cookies. Whatever
 * was proven for the sign-in before counts no more, so this is like opening the application's link anew.
 */
export async function restartSignIn(
  { openid }: Pick<Stores, 'openid'>,
  visitor: Pick<Visitor, 'keepOpenidBrowser'>,
  { uid, at }: { readonly uid: string; readonly at: number },
): Promise<void> {
  const record = await openid.findRecord('Interaction', uid)
  const stored = z.record(z.string(), z.unknown()).safeParse(parseJson(record?.payload)).data
  if (record === undefined || stored === undefined) return
  const { result: _, ...request } = stored
  const payload = JSON.stringify({ ...request, cid: sha256(visitor.keepOpenidBrowser()) })
  await openid.restartRecord(
    { kind: 'Interaction', id: uid, payload, createdAt: at },
    record.payload,
  )
}

/**
 * Replaces the library's cookies of a sign-in.
 *
 * @param ownSignInOf - the sign-in that a request continues, if this browser began it
 */
export function useBrowserBinding(
  provider: Provider,
  ownSignInOf: (context: Context) => OwnSignIn | undefined,
): void {
  provider.use(async (context, next) => {
    const signIn = ownSignInOf(context)
    if (signIn !== undefined) {
      const { cookies } = context
      const get = cookies.get.bind(cookies)
      cookies.get = (name, options) => (name === RESUME_COOKIE ? signIn.uid : get(name, options))
    }
    await next()
    const { res } = context
    const set = [res.getHeader('set-cookie') ?? []].flat().map(String)
    const isOfLibrary = (cookie: string) =>
      cookie.startsWith(INTERACTION_COOKIE) || cookie.startsWith(RESUME_COOKIE)
    const kept = set.filter((cookie) => !isOfLibrary(cookie))
    if (kept.length < set.length) res.setHeader('set-cookie', kept)
  })
}
