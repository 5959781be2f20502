import type { Services } from '@portico/flow'
import type { HandshakeOutcome, SessionUpdate } from '../protocol/handshake.ts'
import { newRpcId } from '../protocol/json-rpc.ts'
import { dynamicLink, type MobileApp } from '../protocol/mobile-link.ts'
import { formatUri } from '../protocol/uri.ts'
import { type RelayStatus, relayAddress, type SessionConfig } from './config.ts'
import type { VerifyAccount } from './conversation.ts'
import type { Emitter } from './emitter.ts'
import { WALLET_APP_EVENTS } from './events.ts'
import type { AttemptPlan } from './init-options.ts'
import { closeHostedFrame } from './launch/hosted-frame.ts'
import type { WalletCatalog } from './launch/wallet-catalog.ts'
import { type Link, openLink } from './link.ts'
import type { SessionPorts } from './ports.ts'
import { qrImage } from './qr-image.ts'
import type { Command, Event, State } from './session.flow.ts'
import { shortLink } from './short-link.ts'
import {
  type LinkTerms,
  readStoredSession,
  removeStoredSession,
  writeStoredSession,
} from './stored-session.ts'
import type { Requirements } from './verify-account.ts'

/** An `init` call that has not settled yet. */
interface PendingInit {
  readonly attempt: number
  readonly resolve: (answer: 'initialized') => void
  readonly reject: (error: Error) => void
}

/** What the services of one session share. All decisions are in the flow table. */
export interface SessionContext {
  readonly config: SessionConfig
  readonly ports: SessionPorts
  readonly emit: Emitter['emit']
  readonly state: () => State
  readonly send: (event: Event) => void
  readonly catalog: WalletCatalog
  /** The latest connection to a wallet; closed while the session is disconnected. */
  link: Link | undefined
  pendingInits: readonly PendingInit[]
}

/** §4.1: connection init resolves or rejects after 3 s. */
const INIT_LIMIT_MS = 3000
/** §4.1: the expiry check, every second. */
const EXPIRY_CHECK_MS = 1000

const INIT_TIMED_OUT = 'The connection was not ready within 3 seconds'

/** The services of a session, one per command. */
export function sessionServices(context: SessionContext): Services<Event, Command> {
  const { config, ports, emit, send, catalog } = context

  return {
    async openLink({ attempt, plan }) {
      const stop = ports.after(INIT_LIMIT_MS, () =>
        send({ type: 'codeFailed', attempt, reason: INIT_TIMED_OUT }),
      )
      try {
        const terms = newTerms(context)
        const link = openLink(terms, listener(attempt, terms.clientId, plan.required), ports)
        context.link = link
        const [code] = await Promise.all([
          createCode(terms, plan, context),
          link.ready,
          // Only the library's own dialog shows the names.
          plan.popup && typeof document !== 'undefined' ? catalog.load() : undefined,
        ])
        send({ type: 'codeCreated', attempt, ...code })
      } catch (error) {
        const reason = `The connection could not be prepared: ${String(error)}`
        send({ type: 'codeFailed', attempt, reason })
      } finally {
        stop()
      }
    },

    resumeLink({ attempt, clientId }) {
      const stored = readStoredSession(ports.storage)
      // Removed or replaced in the meantime: the storage event that follows handles it.
      if (stored?.terms.clientId !== clientId) return
      context.link = openLink(stored.terms, listener(attempt, clientId, {}), ports)
      context.link.ready.catch(ports.report)
    },

    closeLink: ({ notifyWallet }) => context.link?.close({ notifyWallet }),

    endStoredSession() {
      const stored = readStoredSession(ports.storage)
      if (stored === undefined) return
      const noListener = {
        responded: () => undefined,
        updated: () => undefined,
        relayChanged: () => undefined,
      }
      openLink(stored.terms, noListener, ports).close({ notifyWallet: true })
    },

    settleInit({ attempt, refusal }) {
      const settled = context.pendingInits.filter((init) => init.attempt <= attempt)
      context.pendingInits = context.pendingInits.filter((init) => init.attempt > attempt)
      for (const { resolve, reject } of settled) {
        if (refusal === undefined) resolve('initialized')
        else reject(new Error(refusal))
      }
    },

    launchWallet({ launch: { walletAppId, uri }, iframeParentId }) {
      const wallet = catalog.all().find(({ id }) => id === walletAppId)
      if (wallet?.walletCheck?.() === false) {
        if (wallet.walletUrl !== undefined) ports.openWindow(wallet.walletUrl)
        return
      }
      const redirectUrl = ports.href()
      wallet?.eventAction?.({ event: WALLET_APP_EVENTS.INIT, uri, redirectUrl, iframeParentId })
    },

    closeFrame: closeHostedFrame,

    watchExpiry(_, signal) {
      const stop = ports.every(EXPIRY_CHECK_MS, () => expire(context))
      signal.addEventListener('abort', stop)
    },

    storeSession() {
      const state = context.state()
      if (state.step !== 'connected' || context.link === undefined) return
      const { session, settings } = state
      writeStoredSession(ports.storage, { terms: context.link.terms(), session, settings })
    },

    removeSession: () => removeStoredSession(ports.storage),

    // In a microtask, once the transition is complete: listeners may call any method and must not see intermediate states.
    emit: ({ event, data }) => queueMicrotask(() => emit(event, data)),

    notifyWallet({ walletAppId, event, data }) {
      catalog
        .all()
        .find(({ id }) => id === walletAppId)
        ?.eventAction?.({ event, data })
    },
  }

  function listener(attempt: number, clientId: string, required: Requirements) {
    const terms = (requirements: Requirements) => ({
      nowS: ports.now() / 1000,
      acceptedIssuers: config.acceptedIssuers,
      required: requirements,
    })
    return {
      responded: (outcome: HandshakeOutcome, verifyAccount: VerifyAccount) => {
        if (outcome.kind === 'rejected') {
          const { message } = outcome
          return send({ type: 'ended', attempt, message, now: ports.now() })
        }
        const { accounts, peerMeta: peer } = outcome.approval
        const check = verifyAccount(accounts, terms(required))
        if (!check.ok) {
          const { reason, mismatch } = check
          return send({ type: 'accountRefused', attempt, reason, mismatch })
        }
        const { account } = check
        send({ type: 'approved', attempt, clientId, account, peer, now: ports.now() })
      },
      updated: (update: SessionUpdate, verifyAccount: VerifyAccount) => {
        if (update.kind === 'ended') {
          const message = 'Session disconnected'
          return send({ type: 'ended', attempt, message, now: ports.now() })
        }
        // Some wallets send an update without accounts after the end of a session.
        if (!update.accounts) return
        // The page's requirements only apply to connecting; the user may switch accounts afterwards.
        const check = verifyAccount(update.accounts, terms({}))
        if (!check.ok) return send({ type: 'accountRefused', attempt, reason: check.reason })
        send({ type: 'updated', attempt, account: check.account, now: ports.now() })
      },
      relayChanged: (status: RelayStatus) => {
        const state = context.state()
        // Not for an interruption, which is no error of the page.
        if (state.step === 'pending' && state.relay === undefined && status === 'unreachable') {
          const { bridge } = state.settings
          ports.log(
            `The relay ${bridge} cannot be reached. The page sets it with "server".`,
            status,
          )
        }
        send({ type: 'relayChanged', attempt, status })
      },
    }
  }
}

/** Ends an expired session, unless another tab has ended or extended it in the meantime. */
export function expire({ ports, state, send }: SessionContext): void {
  const before = state()
  const now = ports.now()
  if (before.step !== 'connected' || now < before.session.connectionEXP) return
  const stored = readStoredSession(ports.storage)
  if (stored?.terms.clientId !== before.session.clientId) return send({ type: 'sessionRemoved' })
  const { restorable } = stored
  if (restorable !== undefined) send({ type: 'sessionFound', attempt: before.attempt, restorable })
  send({ type: 'expiryChecked', now })
}

function newTerms({ config, ports, state }: SessionContext): LinkTerms {
  const bridge = relayAddress(state().settings.bridge || config.bridge, ports.href())
  return {
    bridge,
    chainId: null,
    clientId: crypto.randomUUID(),
    clientMeta: ports.pageMetadata(),
    handshakeId: newRpcId(),
    handshakeTopic: crypto.randomUUID(),
    key: crypto.getRandomValues(new Uint8Array(32)),
    peerId: '',
    peerMeta: null,
  }
}

/** The link in the QR code of a mobile wallet: a short link, or else the shortest link available. */
async function scannedLink(
  uri: string,
  mobile: MobileApp,
  { config, ports }: Pick<SessionContext, 'config' | 'ports'>,
): Promise<string> {
  const long = dynamicLink(uri, mobile)
  const short = await shortLink(long, config.shortLinks, ports)
  return short === long && mobile.openPage !== undefined
    ? `${mobile.openPage}?data=${encodeURIComponent(uri)}`
    : short
}

/** The content of the dialog, and the launch of a wallet that is opened directly. */
async function createCode(
  { handshakeTopic, bridge, key }: LinkTerms,
  { connectOptions, qrOptions, walletAppId, popup }: AttemptPlan,
  { config, ports, catalog }: SessionContext,
) {
  const uri = formatUri({ handshakeTopic, bridge, key, options: connectOptions })
  const mobile =
    walletAppId === 'figure_mobile' || walletAppId === 'figure_mobile_test'
      ? config.wallets.mobile[walletAppId]
      : undefined
  const QRCodeUrl = mobile === undefined ? uri : dynamicLink(uri, mobile)
  const scanned = mobile === undefined ? uri : await scannedLink(uri, mobile, { config, ports })
  const generateUrl = catalog.all().find(({ id }) => id === walletAppId)?.generateUrl
  return {
    modal: {
      QRCodeImg: await qrImage(scanned, qrOptions),
      QRCodeUrl,
      dynamicUrl: generateUrl?.(encodeURIComponent(uri)) ?? '',
      showModal: popup,
    },
    launch: walletAppId === undefined ? undefined : { walletAppId, uri },
  }
}
