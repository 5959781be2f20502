/**
 * Sessions. A request needs both the token, which scripts hold, and the HttpOnly cookie, which the browser holds, so a
 * stolen token alone is worthless. Tokens are renewed by use. A session ends when it has not been used for a token's
 * lifetime, at most twelve hours after it started, or immediately when it is revoked.
 *
 * An operator views a person's pages in a session of that person, which has its own cookie in addition to the operator's.
 * Both cookies are required. It is never extended, and `http/impersonation.ts` restricts what it may do.
 */
import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import { IMPERSONATION_MS, JWT_LIFETIME_S, MAX_SESSION_MS } from '@portico/contracts/limits'
import type { FactorAge } from '@portico/rules/factor-age'
import DataLoader from 'dataloader'
import type { AuditSource } from '../audit/audit.store.ts'
import type { Clock } from '../clock.ts'
import type {
  AliasesTable,
  ConfirmationProof,
  IdentitiesTable,
  SecondMethod,
  SessionsTable,
} from '../database/tables.ts'
import type { SessionCookie } from '../http/cookies.ts'
import type { Visitor } from '../http/visitor.ts'
import { constantTimeEqual, randomSecret, sha256 } from '../secrets/hashes.ts'
import type { Stores, TransactionalStores } from '../stores.ts'
import type { Tokens } from '../tokens/session-tokens.ts'
import { traced } from '../tracing/tracing.ts'
import { IDENTITIES_AT_ONCE, type OpenSessionRow, type ViewingOperator } from './sessions.store.ts'

export type { OpenSessionRow } from './sessions.store.ts'

const LIFETIME_MS = JWT_LIFETIME_S * 1000
/** The maximum number of sessions that one query looks up. */
const MAX_BATCH = 32

export type SignInMethod = Exclude<SessionsTable['method'], 'operator'>

/** The first factor, and the second if one was needed. */
export interface Proof {
  readonly method: SignInMethod
  readonly second?: SecondMethod
}

/** The authenticated session of a request. */
export interface OpenSession {
  readonly id: string
  readonly identityId: string
  readonly email: string
  /** When a mailed code proved the address; null while only a provider or an import asserts it. */
  readonly emailVerifiedAt: number | null
  /** The organization of the identity. */
  readonly organizationCode: string
  /** The organization on whose page, or at whose identity provider, the user logged in. */
  readonly loginOrganizationCode: string
  readonly profileType: IdentitiesTable['profileType']
  readonly passwordExpired: boolean
  readonly hasPassword: boolean
  /** Whether an e-mailed code is the second factor. */
  readonly emailFactor: boolean
  /** The verified aliases, oldest first. */
  readonly aliases: readonly Pick<AliasesTable, 'id' | 'type' | 'value'>[]
  readonly method: SessionsTable['method']
  /** The second factor of the login; absent if none was needed. */
  readonly secondMethod: SecondMethod | undefined
  readonly createdAt: number
  /** When the user last proved their identity, at login or in a later confirmation. */
  readonly confirmedAt: number
  /** The proof of that confirmation; absent if there was only the login. */
  readonly confirmedBy: ConfirmationProof | undefined
  /** The last change of the address, whose mailbox can then not confirm this session. */
  readonly emailChange: FactorAge
  readonly updatedAt: number
  readonly expiresAt: number
  /** The account the session acts as, if one was chosen. */
  readonly chosen: Choice | undefined
  /** Whether the user locked the hosted wallet, and when it was last used. */
  readonly wallet: { readonly locked: boolean; readonly usedAt: number }
  /** The operator who views the person's pages in this session. */
  readonly operator: Pick<ViewingOperator, 'id' | 'email' | 'sessionId'> | undefined
}

/** The account to act as: a wallet and the group it signs for, if any (§3, credentials chosen). */
export interface Choice {
  readonly walletAddress: string
  readonly groupPolicyAddress?: string | undefined
}

export interface Sessions {
  /** Starts a session, ends the browser's previous one and sets the cookie. Returns the token. */
  readonly open: (
    stores: Pick<Stores, 'sessions'>,
    identity: Pick<IdentitiesTable, 'id' | 'organizationCode'>,
    visitor: Visitor,
    proof: Proof,
  ) => Promise<string>
  /**
   * Starts a session in which an operator views a person's pages and sets its cookie. End the operator's previous one first.
   *
   * @throws Refusal - `impersonation-not-possible` if the session would not be open
   */
  readonly openViewing: (
    stores: Pick<Stores, 'sessions'>,
    identity: Pick<IdentitiesTable, 'id' | 'organizationCode'>,
    visitor: Visitor,
    operator: { readonly id: string; readonly sessionId: string },
  ) => Promise<{ readonly jwt: string; readonly sessionId: string; readonly endsAt: number }>
  /** @throws Refusal - `session-ended` without a valid token, `unauthenticated` without the matching cookie */
  readonly authenticate: (
    token: string | undefined,
    cookie: SessionCookie | undefined,
  ) => Promise<{ readonly session: OpenSession; readonly renewed: string | undefined }>
  /**
   * Makes a session act as an account that its user is authorized for. Returns a token with the account's claims.
   *
   * @throws Refusal - `session-ended` if it ended in the meantime
   */
  readonly choose: (
    stores: Pick<Stores, 'sessions'>,
    session: OpenSession,
    choice: Choice | undefined,
  ) => Promise<string>
  /** A new token for a session. Only for a page that has proved by a single-use secret that it started the session. */
  readonly issueToken: (session: OpenSession) => string
  /** The session for a cookie alone: enough to render a page but not to make a call. */
  readonly ofCookie: (cookie: SessionCookie | undefined) => Promise<OpenSession | undefined>
  /** Extends a session used by a lender's application, in the second half of its lifetime. */
  readonly extend: (session: Pick<OpenSession, 'id' | 'createdAt' | 'expiresAt'>) => Promise<void>
}

type FindSession = (id: string) => Promise<OpenSessionRow | undefined>

export function openSessions(deps: {
  readonly stores: Pick<Stores, 'sessions'>
  readonly tokens: Tokens
  readonly clock: Clock
  /**
   * Makes sessions of wallets that are no longer members stop acting for this group. Returns whether sessions may have
   * changed.
   */
  readonly refreshGroup: (groupPolicyAddress: string) => Promise<boolean>
}): Sessions {
  const { stores, tokens, clock, refreshGroup } = deps

  const expiry = (createdAt: number) => Math.min(clock() + LIFETIME_MS, createdAt + MAX_SESSION_MS)

  function tokenFor(
    session: {
      id: string
      identityId: string
      org: string
      chosen?: Choice | undefined
      operatorId?: string | undefined
    },
    until: number,
  ): string {
    const { walletAddress, groupPolicyAddress } = session.chosen ?? {}
    const claims = {
      sub: session.identityId,
      sid: session.id,
      org: session.org,
      ...(walletAddress === undefined ? {} : { addr: walletAddress }),
      ...(groupPolicyAddress === undefined ? {} : { grp: groupPolicyAddress }),
      ...(session.operatorId === undefined ? {} : { act: { sub: session.operatorId } }),
    }
    // Rounded up to a full 1440 s (§3), because a few milliseconds have passed. The session's own expiry is checked anyway.
    return tokens.issue('session', claims, Math.ceil((until - clock()) / 1000))
  }

  /** Looks up one session without batching: inside a transaction, or for an ID that the client may have made up. */
  const findDirectly =
    ({ sessions }: Pick<Stores, 'sessions'>): FindSession =>
    async (id) =>
      (await sessions.findOpen([id], clock())).get(id)

  /**
   * Looks up all sessions requested in one event loop turn with one query. Only for IDs from verified tokens, so that
   * made-up IDs cannot fill a batch. The query begins after the turn, so no result is older than its request.
   */
  const batch = new DataLoader<string, OpenSessionRow | undefined>(
    async (ids) => {
      const found = await stores.sessions.findOpen(ids, clock())
      return ids.map((id) => found.get(id))
    },
    { cache: false, maxBatchSize: MAX_BATCH, batchScheduleFn: (run) => setImmediate(run) },
  )
  const findBatched: FindSession = (id) => batch.load(id)

  async function find(
    findSession: FindSession,
    cookie: SessionCookie | undefined,
  ): Promise<OpenSessionRow | undefined> {
    const [id = '', secret = ''] = cookie?.value.split('.') ?? []
    const row = cookie === undefined || id === '' ? undefined : await findSession(id)
    return row && cookie && isCookieOf(row, cookie, secret) ? row : undefined
  }

  /** The session with the group that it may still act for. */
  async function withCurrentGroup(
    row: OpenSessionRow | undefined,
    cookie: SessionCookie | undefined,
  ): Promise<OpenSessionRow | undefined> {
    const group = row?.groupPolicyAddress ?? null
    return group !== null && (await refreshGroup(group)) ? find(findBatched, cookie) : row
  }

  /**
   * Issues a new token, and extends the session, in the second half of the old token's life, or if the old token names a
   * group for which the session no longer acts.
   */
  async function renewal(
    row: OpenSessionRow,
    claims: { readonly exp: number; readonly grp?: string | undefined },
  ): Promise<string | undefined> {
    if (row.operator !== undefined) return undefined
    const until = expiry(row.createdAt)
    const expiresAt = claims.exp * 1000
    const isSecondHalf = expiresAt - clock() < LIFETIME_MS / 2
    const isOutdated = claims.grp !== undefined && row.groupPolicyAddress === null
    if (!isOutdated && (!isSecondHalf || until <= expiresAt)) return undefined
    if (!(await stores.sessions.updateExpiry(row.id, until))) return undefined
    const { id, identityId, organizationCode: org } = row
    return tokenFor({ id, identityId, org, chosen: chosenIn(row) }, until)
  }

  return {
    async open(transaction, identity, visitor, { method, second }) {
      const [id, secret, at] = [randomUUID(), randomSecret(), clock()]
      const until = expiry(at)
      const previous = await find(findDirectly(transaction), visitor.ownSessionCookie)
      if (previous) await transaction.sessions.end(previous.id, at)
      await transaction.sessions.insert({
        id,
        identityId: identity.id,
        secretHash: sha256(secret),
        method,
        secondMethod: second ?? null,
        organizationCode: visitor.organization.orgCode,
        network: visitor.network,
        userAgent: visitor.userAgent,
        createdAt: at,
        expiresAt: until,
        endedAt: null,
        confirmedAt: null,
        confirmedBy: null,
        walletAddress: null,
        groupPolicyAddress: null,
        walletLockedAt: null,
        walletUsedAt: null,
        operatorUsedAt: null,
        operatorId: null,
        operatorSessionId: null,
      })
      visitor.keepSession(`${id}.${secret}`)
      return tokenFor({ id, identityId: identity.id, org: identity.organizationCode }, until)
    },

    async openViewing(transaction, identity, visitor, operator) {
      const [id, secret, at] = [randomUUID(), randomSecret(), clock()]
      const endsAt = at + IMPERSONATION_MS
      const { walletAddress = null, groupPolicyAddress = null } =
        (await transaction.sessions.findLatestChoice(identity.id)) ?? {}
      await transaction.sessions.insert({
        id,
        identityId: identity.id,
        secretHash: viewingHash(secret),
        method: 'operator',
        secondMethod: null,
        organizationCode: identity.organizationCode,
        network: visitor.network,
        userAgent: visitor.userAgent,
        createdAt: at,
        expiresAt: endsAt,
        endedAt: null,
        confirmedAt: null,
        confirmedBy: null,
        walletAddress,
        groupPolicyAddress,
        walletLockedAt: at,
        walletUsedAt: null,
        operatorUsedAt: null,
        operatorId: operator.id,
        operatorSessionId: operator.sessionId,
      })
      const row = await findDirectly(transaction)(id)
      if (row === undefined) throw new Refusal('impersonation-not-possible')
      visitor.keepViewing(`${id}.${secret}`)
      const jwt = tokenFor(
        {
          id,
          identityId: identity.id,
          org: identity.organizationCode,
          chosen: chosenIn(row),
          operatorId: operator.id,
        },
        endsAt,
      )
      return { jwt, sessionId: id, endsAt }
    },

    async authenticate(token, cookie) {
      const claims = token === undefined ? undefined : tokens.read('session', token)
      if (claims === undefined) throw new Refusal('session-ended')
      const isOwnCookie = cookie?.value.startsWith(`${claims.sid}.`) ?? false
      if (!isOwnCookie) throw new Refusal('unauthenticated')
      const row = await traced('session lookup', () => find(findBatched, cookie)).then((found) =>
        withCurrentGroup(found, cookie),
      )
      if (
        row === undefined ||
        row.identityId !== claims.sub ||
        row.operator?.id !== claims.act?.sub
      )
        throw new Refusal('session-ended')
      return { session: openSession(row), renewed: await renewal(row, claims) }
    },

    async choose(transaction, session, choice) {
      const { id, identityId, organizationCode: org } = session
      const token = { id, identityId, org, chosen: choice }
      if (sameChoice(session.chosen, choice)) return tokenFor(token, session.expiresAt)
      const until = expiry(session.createdAt)
      const stored = {
        walletAddress: choice?.walletAddress ?? null,
        groupPolicyAddress: choice?.groupPolicyAddress ?? null,
        expiresAt: until,
      }
      if (!(await transaction.sessions.updateChoice(session.id, stored)))
        throw new Refusal('session-ended')
      return tokenFor(token, until)
    },

    issueToken({ id, identityId, organizationCode: org, chosen, expiresAt }) {
      return tokenFor({ id, identityId, org, chosen }, expiresAt)
    },

    async ofCookie(cookie) {
      const row = await traced('session lookup', () => find(findDirectly(stores), cookie))
      return row && openSession(row)
    },

    async extend({ id, createdAt, expiresAt }) {
      const until = expiry(createdAt)
      const isSecondHalf = expiresAt - clock() < LIFETIME_MS / 2
      if (isSecondHalf && until > expiresAt) await stores.sessions.updateExpiry(id, until)
    },
  }
}

function openSession(row: OpenSessionRow): OpenSession {
  return {
    id: row.id,
    identityId: row.identityId,
    email: row.email,
    emailVerifiedAt: row.emailVerifiedAt,
    organizationCode: row.organizationCode,
    loginOrganizationCode: row.loginOrganizationCode,
    profileType: row.profileType,
    // A new identity has no password; an existing one may have to change it.
    passwordExpired: row.passwordHash === null || row.passwordExpiredAt !== null,
    hasPassword: row.passwordHash !== null,
    emailFactor: row.emailFactorAt !== null,
    aliases: row.aliases,
    method: row.method,
    secondMethod: row.secondMethod ?? undefined,
    createdAt: row.createdAt,
    confirmedAt: row.confirmedAt ?? row.createdAt,
    confirmedBy: row.confirmedBy ?? undefined,
    emailChange: { addedAt: row.emailChangedAt, addedIn: row.emailChangedIn },
    updatedAt: row.updatedAt,
    expiresAt: row.expiresAt,
    chosen: chosenIn(row),
    wallet: { locked: row.walletLockedAt !== null, usedAt: row.walletUsedAt ?? 0 },
    operator: row.operator && {
      id: row.operator.id,
      email: row.operator.email,
      sessionId: row.operator.sessionId,
    },
  }
}

/** Differs from an ordinary session's hash, so that no version of the server mistakes one for the other. */
const viewingHash = (secret: string) => sha256(`viewing ${secret}`)

function isCookieOf(row: OpenSessionRow, cookie: SessionCookie, secret: string): boolean {
  if (cookie.kind === 'own') {
    return row.operator === undefined && constantTimeEqual(row.secretHash, sha256(secret))
  }
  const [ownId, ownSecret = ''] = cookie.own?.split('.') ?? []
  return (
    row.operator !== undefined &&
    row.operator.sessionId === ownId &&
    constantTimeEqual(row.operator.secretHash, sha256(ownSecret)) &&
    constantTimeEqual(row.secretHash, viewingHash(secret))
  )
}

/** Whether both are the same account, so that no write is needed. */
export function sameChoice(left: Choice | undefined, right: Choice | undefined): boolean {
  return (
    left?.walletAddress === right?.walletAddress &&
    left?.groupPolicyAddress === right?.groupPolicyAddress
  )
}

function chosenIn(row: OpenSessionRow): Choice | undefined {
  if (row.walletAddress === null) return undefined
  return {
    walletAddress: row.walletAddress,
    groupPolicyAddress: row.groupPolicyAddress ?? undefined,
  }
}

/**
 * Asserts that the session is still open. Call it after locking the identity's row: a password change ends other
 * sessions, and no change begun in one of them may commit after it.
 *
 * @throws Refusal - `session-ended`
 */
export async function assertOpen(
  { sessions }: Pick<Stores, 'sessions'>,
  { id }: Pick<OpenSession, 'id'>,
  at: number,
): Promise<void> {
  if (!(await sessions.findOpen([id], at)).has(id)) throw new Refusal('session-ended')
}

/**
 * Locks the identity's row for a transaction that writes rows of the identity. A concurrent deletion of the account
 * then either commits first, and this call is refused, or runs later and deletes the new rows too.
 *
 * @throws Refusal - `session-ended`
 */
export async function lockSession(
  stores: Pick<Stores, 'identities' | 'sessions'>,
  session: Pick<OpenSession, 'id' | 'identityId'>,
  at: number,
): Promise<void> {
  await stores.identities.findForUpdate(session.identityId)
  await assertOpen(stores, session, at)
}

/** Ends a session and audits the logout. Of concurrent requests, exactly one does. */
export async function endSession(
  {
    stores,
    clock,
  }: { readonly stores: TransactionalStores<'audit' | 'sessions'>; readonly clock: Clock },
  { id, identityId }: Pick<OpenSession, 'id' | 'identityId'>,
  visitor: Visitor,
): Promise<void> {
  const at = clock()
  await stores.atomically(async ({ audit, sessions }) => {
    if (!(await sessions.end(id, at))) return
    await audit.record('signed-out', { identityId, at }, visitor)
  })
}

/** Ends a session in which an operator views a person's pages, and audits it. Of concurrent calls, exactly one does. */
export async function endView(
  { audit, sessions }: Pick<Stores, 'audit' | 'sessions'>,
  view: {
    readonly id: string
    readonly identityId: string
    readonly operatorId: string
    readonly organizationCode: string
    readonly endedAt: number
  },
  source: AuditSource,
): Promise<void> {
  const { id, identityId, operatorId, organizationCode, endedAt } = view
  if (!(await sessions.end(id, endedAt))) return
  await audit.record(
    'impersonation-ended',
    {
      identityId,
      at: endedAt,
      organizationCode,
      operator: { id: operatorId },
      details: { session: id },
    },
    source,
  )
}

/** The source of the audit entry of a view that its operator did not end. */
export const startOf = (view: {
  readonly organizationCode: string
  readonly network: string
}): AuditSource => ({ organization: { orgCode: view.organizationCode }, network: view.network })

/** Ends the views of people's pages, or one of them, with their audit entries. For acts that end all sessions of people. */
export async function endViewsOf(
  stores: Pick<Stores, 'audit' | 'sessions'>,
  identityIds: readonly string[],
  at: number,
  id?: string,
): Promise<void> {
  for (let from = 0; from < identityIds.length; from += IDENTITIES_AT_ONCE) {
    const batched = identityIds.slice(from, from + IDENTITIES_AT_ONCE)
    for (const view of await stores.sessions.listViews(at, { identityIds: batched })) {
      if (id === undefined || view.id === id) await endView(stores, view, startOf(view))
    }
  }
}

/** Ends all sessions of people, and the views of their pages. */
export async function endSessionsOf(
  stores: Pick<Stores, 'audit' | 'sessions'>,
  identityIds: readonly string[],
  at: number,
): Promise<void> {
  await endViewsOf(stores, identityIds, at)
  await stores.sessions.endAll(identityIds, at)
}
