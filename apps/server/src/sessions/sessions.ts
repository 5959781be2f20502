/**
 * Sessions. What a script holds (the token) and what the browser holds (an HttpOnly cookie) open one only together; a
 * stolen token alone is worth nothing. Tokens are renewed by use; a session ends when it was not used for a token's
 * lifetime, twelve hours after it began at the latest, or at once when somebody ends it.
 */
import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import { JWT_LIFETIME_S, SESSION_MAXIMUM_MS } from '@portico/contracts/limits'
import type { Clock } from '../clock.ts'
import { batchLoader } from '../database/batch-loader.ts'
import type {
  AliasesTable,
  ConfirmationProof,
  IdentitiesTable,
  SecondMethod,
  SessionsTable,
} from '../database/tables.ts'
import type { Visitor } from '../http/visitor.ts'
import { randomSecret, sameText, sha256 } from '../secrets/hashes.ts'
import type { Stores } from '../stores.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { type OpenSessionRow, SESSIONS_TOGETHER } from './sessions.store.ts'

const LIFETIME_MS = JWT_LIFETIME_S * 1000

/** How somebody proved who they are. */
export type SignInMethod = SessionsTable['method']

/** What was proved: the first factor, and the second one where there was one. */
export interface Proof {
  readonly method: SignInMethod
  readonly second?: SecondMethod
}

/** A session that a request opened. */
export interface OpenSession {
  readonly id: string
  readonly identityId: string
  readonly email: string
  readonly organizationCode: string
  readonly profileType: IdentitiesTable['profile_type']
  readonly passwordExpired: boolean
  readonly hasPassword: boolean
  /** Whether an e-mailed code is asked for as the second factor. */
  readonly emailFactor: boolean
  /** The verified ways to reach the person, the oldest first. */
  readonly aliases: readonly Pick<AliasesTable, 'id' | 'type' | 'value'>[]
  readonly method: SignInMethod
  readonly createdAt: number
  /** When the person last proved who they are: at the sign-in, or since. */
  readonly confirmedAt: number
  /** What that was proved by; absent where only the sign-in did. */
  readonly confirmedBy: ConfirmationProof | undefined
  readonly updatedAt: number
  readonly expiresAt: number
  /** The account the session acts as, where one was chosen. */
  readonly chosen: Choice | undefined
  /** Whether the person has locked the hosted wallet, and when it was last used. */
  readonly wallet: { readonly locked: boolean; readonly usedAt: number }
}

/** The account somebody acts as: a wallet, and the group it signs for where there is one (§3, credentials chosen). */
export interface Choice {
  readonly walletAddress: string
  readonly groupPolicyAddress?: string | undefined
}

/** Opens, authenticates and ends sessions. */
export interface Sessions {
  /** Opens a session, ends the one the browser had, and hands it the new cookie; gives the token. */
  readonly open: (
    stores: Pick<Stores, 'sessions'>,
    identity: Pick<IdentitiesTable, 'id' | 'organization_code'>,
    visitor: Visitor,
    proof: Proof,
  ) => Promise<string>
  /** @throws Refusal - `session-ended` without a valid token, `unauthenticated` without its cookie */
  readonly authenticate: (
    token: string | undefined,
    cookie: string | undefined,
  ) => Promise<{ readonly session: OpenSession; readonly renewed: string | undefined }>
  /**
   * Lets a session act as an account that its person is authorized for; gives the token that says so.
   *
   * @throws Refusal - `session-ended` where it ended meanwhile
   */
  readonly choose: (
    stores: Pick<Stores, 'sessions'>,
    session: OpenSession,
    choice: Choice | undefined,
  ) => Promise<string>
  /** The session a cookie opens by itself: enough to show a page, not to make a call. */
  readonly ofCookie: (cookie: string | undefined) => Promise<OpenSession | undefined>
}

type LookUp = (id: string) => Promise<OpenSessionRow | undefined>

/** The sessions of an installation. */
export function openSessions(deps: {
  readonly stores: Pick<Stores, 'sessions'>
  readonly tokens: Tokens
  readonly clock: Clock
}): Sessions {
  const { stores, tokens, clock } = deps

  const expiry = (createdAt: number) =>
    Math.min(clock() + LIFETIME_MS, createdAt + SESSION_MAXIMUM_MS)

  function tokenFor(
    session: { id: string; identityId: string; org: string; chosen?: Choice | undefined },
    until: number,
  ): string {
    const { walletAddress, groupPolicyAddress } = session.chosen ?? {}
    const claims = {
      sub: session.identityId,
      sid: session.id,
      org: session.org,
      ...(walletAddress === undefined ? {} : { addr: walletAddress }),
      ...(groupPolicyAddress === undefined ? {} : { grp: groupPolicyAddress }),
    }
    // Up, since some milliseconds have gone by: a token lives 1440 s (§3), and its session is looked up in any case.
    return tokens.issue('session', claims, Math.ceil((until - clock()) / 1000))
  }

  /** Looks a session up by itself: in a transaction, or by a name that anybody may have made up. */
  const alone =
    ({ sessions }: Pick<Stores, 'sessions'>): LookUp =>
    async (id) =>
      (await sessions.opened([id], clock())).get(id)

  /** Looks up with others that are asked for in the same turn; by names that tokens of ours carry, so that none spoils it. */
  const together: LookUp = batchLoader(SESSIONS_TOGETHER, (ids: readonly string[]) =>
    stores.sessions.opened(ids, clock()),
  )

  async function find(
    lookUp: LookUp,
    cookie: string | undefined,
  ): Promise<OpenSessionRow | undefined> {
    const [id = '', secret = ''] = cookie?.split('.') ?? []
    const row = id === '' ? undefined : await lookUp(id)
    return row && sameText(row.secret_hash, sha256(secret)) ? row : undefined
  }

  /** A new token in the second half of the old one's life, with the session lasting as long. */
  async function renewal(row: OpenSessionRow, expiresS: number): Promise<string | undefined> {
    const until = expiry(row.created_at)
    const isSecondHalf = expiresS * 1000 - clock() < LIFETIME_MS / 2
    if (!isSecondHalf || until <= expiresS * 1000) return undefined
    if (!(await stores.sessions.extend(row.id, until))) return undefined
    const { id, identity_id: identityId, organization_code: org } = row
    return tokenFor({ id, identityId, org, chosen: chosenIn(row) }, until)
  }

  return {
    async open(opened, identity, visitor, { method, second }) {
      const [id, secret, at] = [randomUUID(), randomSecret(), clock()]
      const until = expiry(at)
      const previous = await find(alone(opened), visitor.sessionCookie)
      if (previous) await opened.sessions.end(previous.id, at)
      await opened.sessions.add({
        id,
        identity_id: identity.id,
        secret_hash: sha256(secret),
        method,
        second_method: second ?? null,
        organization_code: visitor.organization.orgCode,
        network: visitor.network,
        user_agent: visitor.userAgent,
        created_at: at,
        expires_at: until,
        ended_at: null,
        confirmed_at: null,
        confirmed_by: null,
        wallet_address: null,
        group_policy_address: null,
        wallet_locked_at: null,
        wallet_used_at: null,
      })
      visitor.keepSession(`${id}.${secret}`)
      return tokenFor({ id, identityId: identity.id, org: identity.organization_code }, until)
    },

    async authenticate(token, cookie) {
      const claims = token === undefined ? undefined : tokens.read('session', token)
      if (claims === undefined) throw new Refusal('session-ended')
      const ownCookie = cookie?.startsWith(`${claims.sid}.`) ?? false
      if (!ownCookie) throw new Refusal('unauthenticated')
      const row = await find(together, cookie)
      if (row === undefined || row.identity_id !== claims.sub) throw new Refusal('session-ended')
      return { session: openSession(row), renewed: await renewal(row, claims.exp) }
    },

    async choose(together, session, choice) {
      const { id, identityId, organizationCode: org } = session
      const token = { id, identityId, org, chosen: choice }
      if (sameChoice(session.chosen, choice)) return tokenFor(token, session.expiresAt)
      const until = expiry(session.createdAt)
      const stored = {
        walletAddress: choice?.walletAddress ?? null,
        groupPolicyAddress: choice?.groupPolicyAddress ?? null,
        expiresAt: until,
      }
      if (!(await together.sessions.choose(session.id, stored))) throw new Refusal('session-ended')
      return tokenFor(token, until)
    },

    async ofCookie(cookie) {
      const row = await find(alone(stores), cookie)
      return row && openSession(row)
    },
  }
}

function openSession(row: OpenSessionRow): OpenSession {
  return {
    id: row.id,
    identityId: row.identity_id,
    email: row.email,
    organizationCode: row.organization_code,
    profileType: row.profile_type,
    // A new identity has no password; an old one may have been told to change it.
    passwordExpired: row.password_hash === null || row.password_expired_at !== null,
    hasPassword: row.password_hash !== null,
    emailFactor: row.email_factor_at !== null,
    aliases: row.aliases,
    method: row.method,
    createdAt: row.created_at,
    confirmedAt: row.confirmed_at ?? row.created_at,
    confirmedBy: row.confirmed_by ?? undefined,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    chosen: chosenIn(row),
    wallet: { locked: row.wallet_locked_at !== null, usedAt: row.wallet_used_at ?? 0 },
  }
}

/** Whether two choices are the same account; a session that acts as it already needs no writing. */
export function sameChoice(one: Choice | undefined, other: Choice | undefined): boolean {
  return (
    one?.walletAddress === other?.walletAddress &&
    one?.groupPolicyAddress === other?.groupPolicyAddress
  )
}

function chosenIn(row: OpenSessionRow): Choice | undefined {
  if (row.wallet_address === null) return undefined
  return {
    walletAddress: row.wallet_address,
    groupPolicyAddress: row.group_policy_address ?? undefined,
  }
}

/**
 * To be called once the identity's row is locked: a change of the password ends other sessions, and what they began must
 * not come after it.
 *
 * @throws Refusal - `session-ended`
 */
export async function assertOpen(
  { sessions }: Pick<Stores, 'sessions'>,
  { id }: Pick<OpenSession, 'id'>,
  at: number,
): Promise<void> {
  if (!(await sessions.opened([id], at)).has(id)) throw new Refusal('session-ended')
}

/**
 * Locks the identity of a session for a transaction that writes rows of the identity: the deletion of the account comes
 * before it, which then is refused, or after it, and deletes those rows too.
 *
 * @throws Refusal - `session-ended`
 */
export async function lockSession(
  stores: Pick<Stores, 'identities' | 'sessions'>,
  session: Pick<OpenSession, 'id' | 'identityId'>,
  at: number,
): Promise<void> {
  await stores.identities.inTurn(session.identityId)
  await assertOpen(stores, session, at)
}
