import type { Services } from '@portico/flow'
import type { HandshakeOutcome, SessionUpdate } from '../protocol/handshake.ts'
import { newRpcId } from '../protocol/json-rpc.ts'
import { dynamicLink, type MobileApp } from '../protocol/mobile-link.ts'
import { formatUri } from '../protocol/uri.ts'
import { relayAddress, type SessionConfig } from './config.ts'
import type { VerifyAccount } from './conversation.ts'
import type { Emitter } from './emitter.ts'
import type { AttemptPlan } from './init-options.ts'
import { closeHostedFrame } from './launch/hosted-frame.ts'
import { walletList } from './launch/wallet-list.ts'
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
import { WALLET_APP_EVENTS } from './wallet-app-events.ts'

/** An `init` that has not been answered yet. */
interface WaitingInit {
  readonly attempt: number
  readonly resolve: (answer: 'initialized') => void
  readonly reject: (error: Error) => void
}

/** What the services of one session share. `link` is the one connection that is alive. */
export interface SessionWorld {
  readonly config: SessionConfig
  readonly ports: SessionPorts
  readonly emitter: Emitter
  readonly state: () => State
  readonly send: (event: Event) => void
  link: Link | undefined
  /** Settles when the last link that was closed has said its last. */
  farewell: Promise<unknown>
  /** After it was let go of nothing more is told: the session may be running again already. */
  stopped: boolean
  waiting: readonly WaitingInit[]
}

/** §4.1: connection init resolves or rejects after 3 s. */
const INIT_LIMIT_MS = 3000
/** §4.1: the expiry check, every second. */
const EXPIRY_CHECK_MS = 1000

const TOO_SLOW = 'The connection was not ready within 3 seconds'

/** One function per command of the session. */
export function sessionServices(world: SessionWorld): Services<Event, Command> {
  const { config, ports, emitter, send } = world
  const wallets = walletList(config.wallets, ports)

  return {
    async openLink({ attempt, plan }) {
      const stop = ports.after(INIT_LIMIT_MS, () =>
        send({ type: 'codeOverdue', attempt, reason: TOO_SLOW }),
      )
      try {
        const terms = freshTerms(world)
        const link = openLink(terms, listener(attempt, plan.required), ports)
        world.link = link
        const [code] = await Promise.all([codeOf(terms, plan, world), link.ready])
        send({ type: 'codeMade', attempt, ...code })
      } catch (error) {
        const reason = `The connection could not be prepared: ${String(error)}`
        send({ type: 'codeOverdue', attempt, reason })
      } finally {
        stop()
      }
    },

    resumeLink({ attempt, clientId }) {
      const stored = readStoredSession(ports.storage)
      // Gone or replaced between two turns: a storage event is on its way and decides.
      if (stored?.terms.clientId !== clientId) return
      world.link = openLink(stored.terms, listener(attempt, {}), ports)
      world.link.ready.catch(ports.report)
    },

    closeLink({ goodbye }) {
      if (world.link !== undefined) world.farewell = world.link.closed
      world.link?.close({ goodbye })
      world.link = undefined
    },

    endStored() {
      const stored = readStoredSession(ports.storage)
      if (stored === undefined) return
      const nobody = { answered: () => undefined, updated: () => undefined }
      openLink(stored.terms, nobody, ports).close({ goodbye: true })
    },

    answerInit({ attempt, refusal }) {
      const answered = world.waiting.filter((init) => init.attempt <= attempt)
      world.waiting = world.waiting.filter((init) => init.attempt > attempt)
      for (const { resolve, reject } of answered) {
        if (refusal === undefined) resolve('initialized')
        else reject(new Error(refusal))
      }
    },

    launchWallet({ launch: { walletAppId, uri }, iframeParentId }) {
      const wallet = wallets.find(({ id }) => id === walletAppId)
      if (wallet?.walletCheck?.() === false) {
        if (wallet.walletUrl !== undefined) ports.openWindow(wallet.walletUrl)
        return
      }
      const redirectUrl = ports.href()
      wallet?.eventAction?.({ event: WALLET_APP_EVENTS.INIT, uri, redirectUrl, iframeParentId })
    },

    closeFrame: closeHostedFrame,

    watchExpiry(_, signal) {
      const stop = ports.every(EXPIRY_CHECK_MS, () => expire(world))
      signal.addEventListener('abort', stop)
    },

    remember() {
      const state = world.state()
      if (state.step !== 'connected' || world.link === undefined) return
      const { session, settings } = state
      writeStoredSession(ports.storage, { terms: world.link.terms(), session, settings })
    },

    forget: () => removeStoredSession(ports.storage),

    // One turn later, when everything has settled: a listener may call any method, and hear nothing half done.
    announce: ({ event, data }) =>
      queueMicrotask(() => {
        if (!world.stopped) emitter.emit(event, data)
      }),

    tellWallet({ walletAppId, event, data }) {
      wallets.find(({ id }) => id === walletAppId)?.eventAction?.({ event, data })
    },
  }

  function listener(attempt: number, required: Requirements) {
    const terms = (requirements: Requirements) => ({
      nowS: ports.now() / 1000,
      acceptedIssuers: config.acceptedIssuers,
      required: requirements,
    })
    return {
      answered: (outcome: HandshakeOutcome, judge: VerifyAccount) => {
        if (outcome.kind === 'rejected') {
          const { message } = outcome
          return send({ type: 'ended', attempt, message, now: ports.now() })
        }
        const { accounts, peerMeta: peer } = outcome.approval
        const verdict = judge(accounts, terms(required))
        if (!verdict.ok) {
          const { reason, mismatch } = verdict
          return send({ type: 'accountRefused', attempt, reason, mismatch })
        }
        send({ type: 'approved', attempt, account: verdict.account, peer, now: ports.now() })
      },
      updated: (update: SessionUpdate, judge: VerifyAccount) => {
        if (update.kind === 'ended') {
          const message = 'Session disconnected'
          return send({ type: 'ended', attempt, message, now: ports.now() })
        }
        // Some wallets follow an end with an update that names nobody.
        if (!update.accounts) return
        // What the page required holds for the connection it asked for; a person may switch accounts afterwards.
        const verdict = judge(update.accounts, terms({}))
        if (!verdict.ok) return send({ type: 'accountRefused', attempt, reason: verdict.reason })
        send({ type: 'updated', attempt, account: verdict.account, now: ports.now() })
      },
    }
  }
}

/** Ends an expired session; where another tab has ended or prolonged it meanwhile, that counts. */
export function expire({ ports, state, send, link }: SessionWorld): void {
  const before = state()
  const now = ports.now()
  if (before.step !== 'connected' || now < before.session.connectionEXP) return
  const stored = readStoredSession(ports.storage)
  if (stored?.terms.clientId !== link?.terms().clientId) return send({ type: 'sessionVanished' })
  if (stored?.found !== undefined) {
    send({ type: 'sessionFound', attempt: before.attempt, found: stored.found, same: true })
  }
  send({ type: 'secondPassed', now })
}

function freshTerms({ config, ports, state }: SessionWorld): LinkTerms {
  const bridge = relayAddress(state().settings.bridge || config.bridge, ports.href())
  return {
    bridge,
    chainId: null,
    clientId: crypto.randomUUID(),
    clientMeta: ports.introduction(),
    handshakeId: newRpcId(),
    handshakeTopic: crypto.randomUUID(),
    key: crypto.getRandomValues(new Uint8Array(32)),
    peerId: '',
    peerMeta: null,
  }
}

/** What the QR code of a mobile wallet holds: a short link, else the shortest link that there is. */
async function scannedLink(
  uri: string,
  mobile: MobileApp,
  { config, ports }: Pick<SessionWorld, 'config' | 'ports'>,
): Promise<string> {
  const long = dynamicLink(uri, mobile)
  const short = await shortLink(long, config.shortLinks, ports)
  return short === long && mobile.openPage !== undefined
    ? `${mobile.openPage}?data=${encodeURIComponent(uri)}`
    : short
}

/** What the dialogue shows, and what a wallet that is opened directly gets. */
async function codeOf(
  { handshakeTopic, bridge, key }: LinkTerms,
  { wishes, qrOptions, walletAppId, popup }: AttemptPlan,
  { config, ports }: SessionWorld,
) {
  const uri = formatUri({ handshakeTopic, bridge, key, options: wishes })
  const mobile =
    walletAppId === 'figure_mobile' || walletAppId === 'figure_mobile_test'
      ? config.wallets.mobile[walletAppId]
      : undefined
  const QRCodeUrl = mobile === undefined ? uri : dynamicLink(uri, mobile)
  const scanned = mobile === undefined ? uri : await scannedLink(uri, mobile, { config, ports })
  const generateUrl = walletList(config.wallets, ports).find(
    ({ id }) => id === walletAppId,
  )?.generateUrl
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
