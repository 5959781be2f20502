/**
 * The requests of all pages connected to a wallet on a device. Everything is stored before it is acted on, so the process may be
 * stopped at any time: after a restart, requests are prompted again under the same id unless the key keeper has a result.
 *
 * While the wallet is locked, connections stay open and requests wait.
 */
import { PorticoError, Refusal } from '@portico/contracts/errors'
import type { ApprovalResult, Proposed } from '@portico/contracts/hosted-wallet'
import { parseJson } from '@portico/contracts/parse-json'
import { pageReturnUrl } from '@portico/rules/redirect-target'
import {
  formatUri,
  type PeerMeta,
  parseUri,
  RPC_ERRORS,
  unwrapUri,
  WalletError,
} from '@portico/wallet-connect/protocol'
import {
  type Approver,
  joinSession,
  type Prompt,
  type PromptQueue,
  resumeSession,
  type WalletOptions,
  type WalletSession,
  type WalletState,
} from '@portico/wallet-connect/wallet'
import type { ApprovalPrompt, PromptAnswer } from '../approval-prompt.ts'
import type {
  ConnectedSite,
  ConnectFailure,
  DeviceKeyKeeper,
  DeviceRequestSource,
  DeviceStore,
  PageReturn,
  VaultState,
} from '../device-wallet.ts'
import type { WalletAccount } from '../key-keeper.ts'
import { actingAs, approver, walletAccounts, withOwnGroups } from './approver.ts'
import { afterTimeout, awaitedVotes, type ProposalOutcome } from './awaited-votes.ts'
import { connectedSiteStore, type StoredSite } from './connected-site-store.ts'
import { promptQueue } from './prompt-queue.ts'
import { type PromptUser, userPrompts } from './user-prompts.ts'

export interface DeviceRequestsDeps {
  readonly keeper: Pick<DeviceKeyKeeper, 'accounts' | 'resultOf' | 'subscribe' | 'vault'>
  readonly store: DeviceStore
  readonly proposalOutcome: ProposalOutcome
  /** The wallet's metadata for pages. */
  readonly introduction: PeerMeta
  readonly chainId: string
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly report: (error: unknown) => void
  /** The ports of the relay connections; tests pass their own. */
  readonly relay?: Pick<WalletOptions, 'WebSocket' | 'after' | 'onReturn' | 'random'> | undefined
  /** Whether a page's relay may be used; by default, encrypted ones, and others on this machine or this wallet's host. */
  readonly isAllowedRelay?: ((relay: URL) => boolean) | undefined
}

export interface ConnectOptions {
  /** The origin of the tab that contains a page without an origin. It limits the attempts of such pages, and is not shown. */
  readonly tabOrigin?: string | undefined
  /** Called when the attempt is stored: from then on it survives that the process is stopped. */
  readonly onStored?: (() => void) | undefined
}

/** The source with the functions that only the shell uses. */
export interface DeviceRequests extends DeviceRequestSource {
  readonly connect: (
    code: string,
    origin: string | undefined,
    options?: ConnectOptions,
  ) => Promise<ConnectFailure | undefined>
  /** Settles when all stored connections are resumed. */
  readonly ready: Promise<void>
  /** The relay's topics of the connected pages, by which a push server recognizes their requests (protocol 3.6). */
  readonly topics: () => readonly string[]
  /** Checks the connections and the current request after the device or this process may have slept. */
  readonly wake: () => void
  /** Applies a timeout that a page sent outside its sessions (protocol 13). `origin` is as reported by the browser. */
  readonly resetTimeout: (origin: string, seconds: number) => void
  /** The number of connections that are being established. */
  readonly connecting: () => number
  /** Settles when the page has the answer of a request, or after a while. Until then, this process may be stopped and lose it. */
  readonly answered: (promptId: string) => Promise<void>
  /**
   * Withdraws the undecided requests of an origin, because its pages were closed and nothing waits for the results. Settles when they
   * are answered, or after a while. Until then, this process may be stopped and lose it.
   */
  readonly withdraw: (origin: string) => Promise<void>
  /** Closes all connections and keeps them stored. */
  readonly stop: () => Promise<void>
}

/** A connection or an attempt to connect. */
interface Site {
  readonly id: string
  stored: StoredSite
  session: WalletSession | undefined
  /** The page's own name and address for itself. */
  claimedName: string
  claimedUrl: string
  /** Whether the connection to the relay is open. */
  isOnline: boolean
  /** Aborts when the connection is removed. */
  readonly removed: AbortController
  /** Aborts when the page was closed, and is then replaced for its next requests. */
  closed: AbortController
  /** The signals of `closed` for the requests that have not settled, by id. */
  readonly closings: Map<string, AbortSignal>
  /** Settles when the page is connected or the attempt has failed. */
  readonly outcome: Promise<ConnectFailure | undefined>
  readonly settle: (outcome: ConnectFailure | undefined) => void
}

/** Beyond it, connecting ends the connection that was idle for the longest time; if requests wait in all of them, it fails. */
const MAX_SITES = 20

/** The connections that are stored, with those of pages that are still to be notified that they have ended. */
const MAX_STORED_SITES = MAX_SITES + 4

/** Attempts that the user has not decided. */
const MAX_JOINING_SITES = 10

/** How long a list of accounts is used before it is read again. */
const ACCOUNTS_FRESH_MS = 5000

/** How long a prompt waits for the current names of the accounts. */
const NAMES_WAIT_MS = 150

/** How long the wallet tries to notify a page that its connection has ended. */
const NOTICE_LIFETIME_MS = 24 * 60 * 60 * 1000

/** How long a call waits for its request to be shown, and for its answer to be carried out. */
const ANSWER_LIMIT_MS = 5000

/** How long the relay may take to accept a connection before the attempt fails. */
const RELAY_LIMIT_MS = 15_000

const LOOPBACK = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

export function deviceRequestSource(deps: DeviceRequestsDeps): DeviceRequests {
  const { keeper, introduction, chainId, now, report } = deps
  const after = deps.relay?.after ?? afterTimeout
  const isAllowedRelay = deps.isAllowedRelay ?? isEncryptedOrLocal
  const siteStore = connectedSiteStore(deps.store)
  const sites = new Map<string, Site>()
  const listeners = new Set<() => void>()
  const stopped = new AbortController()
  const votes = awaitedVotes({ proposalOutcome: deps.proposalOutcome, after, report })
  const queue = promptQueue(changed)
  const prompts = userPrompts(changed)
  /** The request of the current prompt. */
  let current: { readonly id: string; readonly request: Prompt } | undefined
  let pageReturn: PageReturn | undefined
  let checking: Promise<void> | undefined
  let vaultStep: VaultState['step'] | undefined
  /** As last read while the wallet was unlocked. */
  let accounts: readonly WalletAccount[] = []
  let accountsReadAt = 0
  /** Attempts that wait for the wallet to be unlocked. */
  let held = 0

  /** The same objects until something changes, as React requires of external stores. */
  let snapshot:
    | { readonly prompt: ApprovalPrompt | undefined; readonly sites: readonly ConnectedSite[] }
    | undefined

  function changed(): void {
    snapshot = undefined
    for (const listener of listeners) listener()
  }

  /** Calls the key keeper, again after every change while the wallet is locked. */
  async function whenUnlocked<Value>(
    call: () => Promise<Value>,
    signal: AbortSignal,
  ): Promise<Value> {
    for (;;) {
      signal.throwIfAborted()
      const { promise: isChanged, resolve, reject } = Promise.withResolvers<void>()
      isChanged.catch(() => undefined)
      const abort = () => reject(signal.reason)
      const stop = keeper.subscribe(resolve)
      signal.addEventListener('abort', abort)
      try {
        return await call()
      } catch (error) {
        if (!isLocked(error)) throw error
        await isChanged
      } finally {
        stop()
        signal.removeEventListener('abort', abort)
      }
    }
  }

  /** The keeper requests the groups of the accounts from the chain, which may take seconds. */
  async function readAccounts(): Promise<void> {
    if (accounts.length > 0 && Math.abs(now() - accountsReadAt) < ACCOUNTS_FRESH_MS) return
    accounts = await keeper.accounts()
    accountsReadAt = now()
    changed()
  }

  function promptUserOf(site: Site): PromptUser {
    return async (prompt, request) => {
      const id = `${site.id}:${request.requestId}`
      const followed = site.stored.proposals?.[request.requestId]
      if (followed !== undefined) return awaitVotes(followed, request)
      const closed = site.closings.get(request.requestId) ?? site.closed.signal
      const signal = AbortSignal.any([request.signal, closed])
      const earlier = await whenUnlocked(() => keeper.resultOf(id), signal)
      // A page could use the id of an earlier request again, to get its result without a prompt.
      const result = request.isNew === true ? undefined : earlier
      if (result !== undefined) {
        request.commit()
        if (result !== 'outcome-unknown') {
          prompts.endedBefore(prompt, result)
          return settled(site, request, result)
        }
      }
      current = { id, request }
      pageReturn = undefined
      const answered = prompts.promptUser(
        { ...prompt, id, claimed: claimedOf(site), audience: audienceOf(site) },
        { ...request, signal },
      )
      if (result !== undefined) prompts.answer(id, result)
      return settled(site, request, await answered)
    }
  }

  /**
   * A proposal is stored and followed; any other result is the answer. The proposal stays on the chain even if it cannot be stored:
   * then it is followed until this process ends, and the next one gets it from the key keeper.
   */
  async function settled(
    site: Site,
    request: Prompt,
    result: ApprovalResult | Proposed,
  ): Promise<ApprovalResult> {
    if (result.kind !== 'proposed') return result
    const unanswered = connectedState(site)?.unanswered ?? []
    const kept = Object.entries(site.stored.proposals ?? {}).filter(([id]) =>
      unanswered.includes(id),
    )
    const proposals = Object.fromEntries([...kept, [request.requestId, result]])
    await write(site, { proposals }).catch(report)
    return awaitVotes(result, request)
  }

  /**
   * Follows a proposal until the group has decided. The page's request stays unanswered, and the page can withdraw it; the
   * proposal itself stays on the chain. Meanwhile other requests are prompted.
   */
  async function awaitVotes(proposed: Proposed, request: Prompt): Promise<ApprovalResult> {
    request.release()
    queue.release()
    await request.stored().catch(report)
    return votes.follow(proposed, AbortSignal.any([request.signal, stopped.signal]))
  }

  function approverOf(site: Site): Approver {
    const { origin } = site.stored
    const promptUser = promptUserOf(site)
    const currentApprover = async () => {
      const { promise: isLate, resolve } = Promise.withResolvers<void>()
      const cancel = after(NAMES_WAIT_MS, resolve)
      // While the wallet is locked, the last known names are shown.
      await Promise.race([readAccounts().catch(reportUnlessShown), isLate])
      cancel()
      return approver({ accounts: knownAccounts(site), origin, promptUser })
    }
    return {
      async connect(request, prompt) {
        await whenUnlocked(readAccounts, prompt.signal)
        return approver({ accounts, origin, promptUser }).connect(request, prompt)
      },
      sign: async (request, prompt) => (await currentApprover()).sign(request, prompt),
      sendTransaction: async (request, prompt) =>
        (await currentApprover()).sendTransaction(request, prompt),
      switchToGroup: async (request, prompt) =>
        (await currentApprover()).switchToGroup(request, prompt),
      goTo(url) {
        // Checked against the origin if it is known: the page's own address for itself may be another site's.
        const own = origin ?? site.claimedUrl
        const allowed = pageReturnUrl(url, own)
        pageReturn =
          allowed === undefined
            ? { kind: 'refused', pageUrl: pageReturnUrl(own, own) }
            : { kind: 'allowed', url: allowed }
        changed()
      },
    }
  }

  /** The accounts of this wallet, or the one that was stored with the connection while it is locked. */
  function knownAccounts({ stored: { account } }: Site): readonly WalletAccount[] {
    return accounts.length > 0 || account === undefined ? accounts : [account]
  }

  function queueOf(site: Site): PromptQueue {
    return {
      run(prompt, ask, withdrawn) {
        const { closed, closings, stored } = site
        // Requests to connect keep the place of the attempt.
        const arrivedAt = stored.session === undefined ? stored.joinedAt : prompt.arrivedAt
        closings.set(prompt.requestId, closed.signal)
        return queue
          .run({ ...prompt, arrivedAt }, ask, AbortSignal.any([withdrawn, closed.signal]))
          .finally(() => closings.delete(prompt.requestId))
      },
    }
  }

  async function write(site: Site, change: Partial<StoredSite>): Promise<void> {
    if (!sites.has(site.id)) return
    site.stored = { ...site.stored, ...change }
    await siteStore.update(site.id, site.stored)
  }

  function optionsOf(site: Site): Omit<WalletOptions, 'accounts'> {
    return {
      ...deps.relay,
      approver: approverOf(site),
      introduction,
      chainId,
      now,
      report,
      onResume: 'serve',
      queue: queueOf(site),
      onState: (state) => {
        site.isOnline = state === 'open'
      },
      store: (session) =>
        session === undefined ? sessionEnded(site) : storeSession(site, session),
      storeRequest: (request) => request !== undefined && write(site, { request }),
    }
  }

  async function storeSession(site: Site, session: string): Promise<void> {
    const { address } = Object(parseJson(session)) as { readonly address?: unknown }
    const known = accounts.find((each) => each.address === address)
    // While the wallet is locked, the naming rule cannot compare the group with the other accounts.
    const account = known ? withOwnGroups(known, accounts) : site.stored.account
    const { connectedAt = now() } = site.stored
    const isNew = site.stored.session === undefined
    await write(site, { session, request: undefined, account, connectedAt })
    if (!isNew) return
    // The connection is no longer being established.
    changed()
    endOldest()
  }

  /** Keeps the stored session until the page was notified that it has ended. */
  async function sessionEnded(site: Site): Promise<void> {
    const state = site.session?.state()
    if (state?.step === 'ended' && state.how === 'ended-by-page') await remove(site)
  }

  async function remove(site: Site): Promise<void> {
    if (discard(site)) await siteStore.delete(site.id)
  }

  function endOldest(): void {
    const idle = [...sites.values()].flatMap((site) => {
      const state = connectedState(site)
      return state === undefined ? [] : [{ site, state }]
    })
    if (idle.length <= MAX_SITES) return
    const lastUsed = (state: ConnectedState) => state.expiresAt - state.durationMs
    const [oldest] = idle
      .filter(({ state }) => state.unanswered.length === 0)
      .toSorted((one, two) => lastUsed(one.state) - lastUsed(two.state))
    if (oldest !== undefined) void disconnect(oldest.site.id).catch(report)
  }

  /** Opens the connection of a site; the user is prompted in the background. */
  async function open(site: Site): Promise<void> {
    const { stored } = site
    if (stored.session !== undefined && stored.account !== undefined) {
      const options = { ...optionsOf(site), accounts: walletAccounts([stored.account]) }
      opened(site, await resumeSession(stored.session, options))
      if (stored.endingAt !== undefined) void site.session?.end()
      return
    }
    if (stored.endingAt !== undefined) return remove(site)
    void join(site)
      .catch(async (error: unknown) => {
        // The attempt stays stored for the next start.
        if (stopped.signal.aborted) return
        if (!site.removed.signal.aborted) report(error)
        await remove(site)
      })
      .catch(report)
  }

  async function join(site: Site): Promise<void> {
    const signal = AbortSignal.any([site.removed.signal, stopped.signal])
    held += 1
    try {
      changed()
      await whenUnlocked(readAccounts, signal)
    } finally {
      held -= 1
      changed()
    }
    const { uri, request: storedRequest } = site.stored
    const session = await joinSession(uri, {
      ...optionsOf(site),
      accounts: walletAccounts(accounts),
      storedRequest,
    })
    if (signal.aborted) return session.leave()
    opened(site, session)
    const cancel = after(RELAY_LIMIT_MS, () => {
      if (site.isOnline || session.state().step !== 'waiting') return
      site.settle('relay-unreachable')
      void session.end()
    })
    void site.outcome.then(cancel)
  }

  function opened(site: Site, session: WalletSession): void {
    site.session = session
    const update = () => {
      const state = session.state()
      if (state.step === 'asking') setClaimed(site, state.request.peerMeta)
      if (state.step === 'connected') setClaimed(site, state.page.peerMeta)
      if (state.step === 'connected') site.settle(undefined)
      if (state.step === 'ended') site.settle(failureOf(state))
      changed()
    }
    session.subscribe(update)
    update()
    void session.ended.then(() => closed(site)).catch(report)
  }

  /** The session has ended. If the page could not be notified, the next process does. */
  async function closed(site: Site): Promise<void> {
    const { joinedAt, endingAt, request } = site.stored
    const isUnnotified = !site.isOnline && (endingAt !== undefined || request !== undefined)
    const isLate = now() - (endingAt ?? joinedAt) > NOTICE_LIFETIME_MS
    if (!isUnnotified || isLate || (await siteStore.list()).length > MAX_STORED_SITES)
      return remove(site)
    discard(site)
  }

  /** Removes a site from memory only; false if it was removed before. */
  function discard(site: Site): boolean {
    if (!sites.delete(site.id)) return false
    site.removed.abort()
    site.settle('failed')
    changed()
    return true
  }

  async function disconnect(siteId: string): Promise<void> {
    const site = sites.get(siteId)
    if (site === undefined) return
    // The connection ends even if the storage is full.
    await write(site, { endingAt: now() }).catch(report)
    changed()
    if (site.session === undefined) return remove(site)
    await site.session.end()
    await closed(site)
  }

  async function connect(
    code: string,
    origin: string | undefined,
    { tabOrigin, onStored }: ConnectOptions = {},
  ) {
    const uri = parseUri(unwrapUri(code) ?? '')
    if (uri === undefined) return 'code-unreadable'
    if (!isAllowedRelay(new URL(uri.bridge))) return 'relay-unreachable'
    await ready
    const text = formatUri(uri)
    // Another window may have read the same code.
    const existing = [...sites.values()].find(({ stored }) => stored.uri === text)
    if (existing !== undefined) {
      onStored?.()
      return existing.outcome
    }
    const joining = [...sites.values()].filter(({ stored }) => stored.session === undefined)
    const page = origin === undefined ? { tabOrigin } : { origin }
    const starter = starterOf(page)
    // A page that starts the wallet again has given up its earlier attempt.
    if (starter !== undefined) giveUp(joining.filter(({ stored }) => starterOf(stored) === starter))
    const others = joining.filter(({ removed }) => !removed.signal.aborted)
    if (others.length >= MAX_JOINING_SITES || isEverySiteBusy()) return 'wallet-full'
    const site = add(crypto.randomUUID(), { uri: text, ...page, joinedAt: now() })
    try {
      await siteStore.insert(site.id, site.stored)
      onStored?.()
      // The page may have given up the attempt in the meantime.
      if (site.removed.signal.aborted) await siteStore.delete(site.id)
      else await open(site)
    } catch (error) {
      report(error)
      if (isStorageFull(error)) site.settle('wallet-full')
      await remove(site).catch(report)
    }
    return site.outcome
  }

  /** Whether requests wait in as many connections as there may be, so that none can be ended for another one. */
  function isEverySiteBusy(): boolean {
    const states = [...sites.values()].map(connectedState)
    const busy = states.filter((state) => state !== undefined && state.unanswered.length > 0)
    return busy.length >= MAX_SITES
  }

  /** Ends attempts to connect that their pages have given up. */
  function giveUp(attempts: readonly Site[]): void {
    for (const site of attempts) {
      site.settle('rejected')
      // While the wallet is locked, it has not joined, and there is no one to notify.
      void (site.session === undefined ? remove(site) : disconnect(site.id)).catch(report)
    }
  }

  function add(id: string, stored: StoredSite): Site {
    const { promise: outcome, resolve: settle } = Promise.withResolvers<
      ConnectFailure | undefined
    >()
    const removed = new AbortController()
    const closed = new AbortController()
    const site: Site = {
      id,
      stored,
      session: undefined,
      claimedName: '',
      claimedUrl: '',
      isOnline: false,
      removed,
      closed,
      closings: new Map(),
      outcome,
      settle,
    }
    sites.set(id, site)
    return site
  }

  async function resumeAll(): Promise<void> {
    for (const [id, stored] of await siteStore.list()) add(id, stored)
    await Promise.all(
      [...sites.values()].map((site) =>
        open(site).catch((error: unknown) => {
          // A damaged session cannot be used, and its page cannot be notified.
          if (!(error instanceof WalletError)) throw error
          return remove(site)
        }),
      ),
    )
  }

  /** Without its keys, a wallet serves no page. Pages that have not connected may connect to the next one. */
  async function endAll(): Promise<void> {
    accounts = []
    const connected = [...sites.values()].filter(({ session }) => session !== undefined)
    await Promise.all(connected.map(({ id }) => disconnect(id)))
  }

  /** The approval may have been carried out by a window that could not return the result. Pages cause many checks, so one runs. */
  function checkCurrent(): Promise<void> {
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }

  async function check(): Promise<void> {
    const id = prompts.current()?.id
    if (id === undefined || !prompts.isCommitted(id)) return
    const result = await keeper.resultOf(id)
    // An unknown outcome may become known, here or by the call that is carrying the request out.
    if (result !== undefined && result !== 'outcome-unknown') prompts.answer(id, result)
  }

  /** A window may decide about its request before this process, which was started again, has read it from storage. */
  const awaitReading = (promptId: string) =>
    becomes(() => prompts.current() !== undefined || !isUnanswered(promptId))

  /** Settles when this is true, or after a while. */
  async function becomes(isTrue: () => boolean): Promise<void> {
    if (isTrue()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const check = () => {
      if (isTrue()) resolve()
    }
    listeners.add(check)
    const cancel = after(ANSWER_LIMIT_MS, resolve)
    await promise
    cancel()
    listeners.delete(check)
  }

  async function answer(promptId: string, result: PromptAnswer): Promise<void> {
    await awaitReading(promptId)
    if (result === undefined) await decline(promptId)
    else prompts.answer(promptId, result)
  }

  const isUnanswered = (promptId: string) =>
    [...sites.values()].some(({ id, stored, session }) => {
      if (!promptId.startsWith(`${id}:`)) return false
      const requestId = promptId.slice(id.length + 1)
      const state = session?.state()
      if (state === undefined) return stored.request !== undefined
      if (state.step !== 'connected') return state.step === 'asking'
      const isFollowed = stored.proposals?.[requestId] !== undefined
      return state.unanswered.includes(requestId) && !isFollowed
    })

  /** A window that was opened again may decline a request that was approved before and may already be carried out. */
  async function decline(promptId: string): Promise<void> {
    const result = prompts.isCommitted(promptId)
      ? await keeper.resultOf(promptId).catch((error: unknown) => {
          reportUnlessShown(error)
          return 'outcome-unknown' as const
        })
      : undefined
    prompts.answer(promptId, result)
  }

  async function keeperChanged(): Promise<void> {
    await ready
    const { step } = await keeper.vault()
    if (step === 'empty') await endAll()
    // Reading the accounts writes to the vault, which calls back here, so only unlocking does.
    const isUnlocked = step === 'unlocked' && vaultStep !== 'unlocked'
    vaultStep = step
    accountsReadAt = 0
    if (isUnlocked) await readAccounts()
  }

  const ready = resumeAll()
    .catch(report)
    .finally(() => queue.open())
  const stopListening = keeper.subscribe(() => void keeperChanged().catch(reportUnlessShown))
  void keeperChanged().catch(reportUnlessShown)

  /** The wallet's screens show that it is locked, damaged or of a newer version. */
  function reportUnlessShown(error: unknown): void {
    const codes = ['vault-damaged', 'vault-from-newer-version']
    const isUnreadable = error instanceof Refusal && codes.includes(error.code)
    if (!isLocked(error) && !isUnreadable) report(error)
  }

  function connectedSite(site: Site): readonly ConnectedSite[] {
    const state = connectedState(site)
    if (state === undefined || site.stored.endingAt !== undefined) return []
    const { name, url } = state.page.peerMeta
    return [
      {
        id: site.id,
        origin: site.stored.origin,
        claimedName: name,
        claimedUrl: url,
        acting: actingAs(state.acting, knownAccounts(site)),
        connectedAt: site.stored.connectedAt ?? site.stored.joinedAt,
        expiresAt: state.expiresAt,
      },
    ]
  }

  const waiting = () => queue.length() + held

  function snapshotNow() {
    const prompt = prompts.current()
    snapshot ??= {
      prompt: prompt && { ...prompt, waiting: Math.max(1, waiting()) },
      sites: [...sites.values()].flatMap(connectedSite),
    }
    return snapshot
  }

  return {
    ready,
    prompt: () => snapshotNow().prompt,
    waiting,
    topics: () =>
      [...sites.values()].flatMap((site) =>
        connectedSite(site).length > 0 && site.session ? [site.session.topic] : [],
      ),
    sites: () => snapshotNow().sites,
    decided: prompts.decided,
    pageReturn: () => pageReturn,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async commit(promptId) {
      await awaitReading(promptId)
      if (current?.id !== promptId || !prompts.commit(promptId)) return false
      await current.request.stored()
      return true
    },
    release: prompts.release,
    answer: (promptId, result) => void answer(promptId, result),
    answered: (promptId) =>
      becomes(() => prompts.current()?.id !== promptId && !isUnanswered(promptId)),
    connect,
    disconnect,
    wake() {
      for (const { session } of sites.values()) session?.wake()
      votes.wake()
      void checkCurrent().catch(reportUnlessShown)
    },
    resetTimeout(origin, seconds) {
      if (!Number.isSafeInteger(seconds) || seconds <= 0) return
      for (const { stored, session } of sites.values()) {
        if (stored.origin === origin) session?.resetTimeout(seconds)
      }
    },
    connecting: () =>
      [...sites.values()].filter(({ stored }) => stored.session === undefined).length,
    async withdraw(origin) {
      const ofOrigin = [...sites.values()].filter(({ stored }) => stored.origin === origin)
      const withdrawn = ofOrigin.flatMap((site) =>
        (connectedState(site)?.unanswered ?? []).map((requestId) => `${site.id}:${requestId}`),
      )
      giveUp(ofOrigin.filter(({ stored }) => stored.session === undefined))
      for (const site of ofOrigin) {
        site.closed.abort(new WalletError('rejected', 'The page was closed.'))
        site.closed = new AbortController()
      }
      await becomes(() => !withdrawn.some(isUnanswered))
    },
    async stop() {
      stopped.abort()
      stopListening()
      await ready
      await Promise.all([...sites.values()].map(async ({ session }) => session?.leave()))
    },
  }
}

function setClaimed(site: Site, { name, url }: PeerMeta): void {
  site.claimedName = name
  site.claimedUrl = url
}

/**
 * A code that the user enters has no other address than the page's own. A page that the browser reports without an origin, such as a
 * sandboxed frame, has none: what it says about itself could be another site's.
 */
function audienceOf({ stored: { origin, tabOrigin }, claimedUrl }: Site): string | undefined {
  return origin ?? (tabOrigin === undefined ? URL.parse(claimedUrl)?.origin : undefined)
}

const claimedOf = ({ claimedName, claimedUrl }: Site) => ({ name: claimedName, url: claimedUrl })

/**
 * Pages with the same starter have one attempt to connect; codes that the user enters have none. All pages without an origin in
 * the tabs of one origin share theirs: otherwise ten sandboxed frames would leave none to other pages while the wallet is locked.
 */
function starterOf({ origin, tabOrigin }: Pick<StoredSite, 'origin' | 'tabOrigin'>) {
  return origin ?? (tabOrigin === undefined ? undefined : `without an origin, in ${tabOrigin}`)
}

/** Whether a call has to wait for the user, who unlocks the wallet or creates it first. */
function isLocked(error: unknown): boolean {
  return error instanceof PorticoError && ['wallet-locked', 'vault-missing'].includes(error.code)
}

const isStorageFull = (error: unknown) =>
  error instanceof PorticoError && error.code === 'storage-unavailable'

type ConnectedState = Extract<WalletState, { readonly step: 'connected' }>

function connectedState({ session }: Site): ConnectedState | undefined {
  const state = session?.state()
  return state?.step === 'connected' ? state : undefined
}

function failureOf({ how, message }: Extract<WalletState, { step: 'ended' }>): ConnectFailure {
  if (message === RPC_ERRORS.accountUnavailable.message) return 'account-unavailable'
  switch (how) {
    case 'rejected':
    case 'ended-by-wallet':
      return 'rejected'
    case 'unanswered':
      return 'unanswered'
    case 'ended-by-page':
    case 'expired':
    case 'failed':
      return 'failed'
  }
}

/** Messages are encrypted anyway, but others on the network could see who connects to whom, and drop messages. */
function isEncryptedOrLocal({ protocol, hostname, host }: URL): boolean {
  return (
    protocol === 'wss:' ||
    protocol === 'https:' ||
    LOOPBACK.test(hostname) ||
    host === globalThis.location?.host
  )
}
