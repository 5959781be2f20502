/** Fake pages and wallets for tests, using the in-memory relay and clock of transport/testing.ts. */

import { addressOf } from '@portico/keys/address'
import { base64Of, bytesOfHex, hexOf } from '@portico/keys/bytes'
import { privateKeyAt } from '@portico/keys/derivation'
import { signJwt } from '@portico/keys/jwt'
import { seedOfWords } from '@portico/keys/mnemonic'
import { publicKeyOf, sign } from '@portico/keys/signature'
import { envelopeKey, open, seal } from '../protocol/envelope.ts'
import { fieldsOf } from '../protocol/fields.ts'
import { type Frame, formatFrame, parseFrame } from '../protocol/frame.ts'
import { parseUri } from '../protocol/uri.ts'
// Preloads the lazily loaded module, as `prepare` does, so that tests do not wait for it.
import './conversation.ts'
import type { RelayWebSocket } from '../transport/ports.ts'
import { type FakeRelay, type FakeTime, quiescence } from '../transport/testing.ts'
import type { SessionPorts, StoragePort } from './ports.ts'

/** A browser with storage that its tabs share. */
export interface FakeBrowser {
  /** Opens a tab. */
  readonly tab: () => FakeTab
  readonly storage: Map<string, string>
  /** Clears storage, as in the browser's settings, and notifies every tab. */
  readonly clear: () => void
}

/** One page load in the browser. */
export interface FakeTab {
  readonly ports: SessionPorts
  /** Events on the document for wallets next to the page. */
  readonly dispatched: readonly { readonly event: string; readonly detail: unknown }[]
  readonly reported: readonly unknown[]
  readonly logged: readonly string[]
  /** Posts a message to the page's own window. */
  readonly post: (data: unknown) => void
  /** The number of active timers and listeners. */
  readonly alive: () => number
}

/** Creates a browser that notifies tabs of other tabs' storage changes asynchronously, as real ones do. */
export function fakeBrowser(relay: FakeRelay, time: FakeTime): FakeBrowser {
  framesSeen = () => relay.frames.length
  const storage = new Map<string, string>()
  const tabs = new Map<object, Set<(key: string | null) => void>>()

  const tab = (): FakeTab => {
    const self = {}
    const storageListeners = new Set<(key: string | null) => void>()
    const messageListeners = new Set<(data: unknown) => void>()
    const dispatched: { event: string; detail: unknown }[] = []
    const reported: unknown[] = []
    const logged: string[] = []
    let timers = 0
    tabs.set(self, storageListeners)
    const notify = (key: string) => {
      for (const [other, listeners] of tabs) {
        if (other === self) continue
        for (const listener of listeners) queueMicrotask(() => listener(key))
      }
    }
    const port: StoragePort = {
      read: (key) => storage.get(key),
      write: (key, value) => {
        if (storage.get(key) === value) return
        storage.set(key, value)
        notify(key)
      },
      remove: (key) => {
        if (storage.delete(key)) notify(key)
      },
    }
    const after: SessionPorts['after'] = (delayMs, run) => {
      timers += 1
      let ended = false
      const end = () => {
        if (!ended) timers -= 1
        ended = true
      }
      const stop = time.after(delayMs, () => {
        end()
        run()
      })
      return () => {
        end()
        stop()
      }
    }
    const ports: SessionPorts = {
      now: time.now,
      after,
      every: (intervalMs, run) => {
        let stop = () => {}
        const again = () => {
          stop = after(intervalMs, () => {
            again()
            run()
          })
        }
        again()
        return () => stop()
      },
      storage: port,
      onStorageChange: (listener) => {
        storageListeners.add(listener)
        return () => void storageListeners.delete(listener)
      },
      onOwnMessage: (listener) => {
        messageListeners.add(listener)
        return () => void messageListeners.delete(listener)
      },
      pageMetadata: () => ({
        name: 'Page',
        description: '',
        url: 'https://page.example',
        icons: [],
      }),
      href: () => 'https://page.example/start?x=1',
      isMobile: () => false,
      returnHref: () => undefined,
      dispatch: (event, detail) => void dispatched.push({ event, detail }),
      hasExtension: () => true,
      openWindow: (url) => void dispatched.push({ event: 'openWindow', detail: url }),
      fetch: () => Promise.reject(new Error('no network in this test')),
      relay: {
        WebSocket: relay.WebSocket,
        after: time.after,
        random: () => 0,
        onReturn: () => () => undefined,
      },
      log: (text) => void logged.push(text),
      report: (error) => void reported.push(error),
    }
    return {
      ports,
      dispatched,
      reported,
      logged,
      post: (data) => {
        for (const listener of messageListeners) listener(data)
      },
      alive: () => timers + storageListeners.size + messageListeners.size,
    }
  }
  const clear = () => {
    storage.clear()
    for (const listeners of tabs.values()) for (const listener of listeners) listener(null)
  }
  return { tab, storage, clear }
}

// Protocol 17.2.
const WORDS =
  'bleak alpha bunker give message direct powder general issue awesome animal ice entry parade invest sausage tragic away nuclear gaze learn during crew benefit'
const KEY = privateKeyAt(await seedOfWords(WORDS), "m/44'/1'/0'/0/0'")
const OTHER_KEY = new Uint8Array(32).fill(7)

/** A group policy that the wallet may act for. */
export const GROUP = addressOf(publicKeyOf(OTHER_KEY), 'tp')

/** The public key of a different account in base64. */
export const OTHER_PUBLIC_KEY = base64Of(publicKeyOf(OTHER_KEY))

/** Changes to the account that a wallet offers; by default it is valid. */
interface AccountChanges {
  readonly publicKey?: string
  readonly otherKey?: boolean
  readonly group?: string | undefined
  /** Replaces the valid token. */
  readonly jwt?: ((right: string) => string) | undefined
  readonly address?: string
  /** Overrides claims of the token. */
  readonly claims?: { readonly addr?: string; readonly grp?: string }
  /** Omits the group from the token. */
  readonly withoutGrp?: boolean
}

/** The account that a wallet offers. */
function account(
  nowMs: number,
  {
    otherKey = false,
    group,
    jwt,
    address,
    claims,
    publicKey,
    withoutGrp = false,
  }: AccountChanges = {},
) {
  const key = otherKey ? OTHER_KEY : KEY
  const own = addressOf(publicKeyOf(key), 'tp')
  const iat = Math.floor(nowMs / 1000)
  const token = signJwt(key, {
    iss: 'provenance.io',
    iat,
    exp: iat + 86_400,
    addr: own,
    ...(group === undefined || withoutGrp ? {} : { grp: group }),
    ...claims,
  })
  return {
    address: address ?? own,
    publicKey: publicKey ?? base64Of(publicKeyOf(key)),
    jwt: jwt === undefined ? token : jwt(token),
    walletInfo: { id: 'one', name: 'My account', coin: 'testNet' },
    attributes: [],
    representedGroupPolicy: group === undefined ? null : { address: group },
  }
}

/** A wallet controlled by the test, which can also misbehave. */
export interface ScriptedWallet {
  readonly peerId: string
  /** All messages it could decrypt, oldest first. */
  readonly received: readonly Readonly<Record<string, unknown>>[]
  readonly approve: (changes?: AccountChanges) => Promise<void>
  readonly reject: () => Promise<void>
  readonly update: (changes?: AccountChanges) => Promise<void>
  readonly end: () => Promise<void>
  /** Responds to a request with this result, or by default with the requested signature. */
  readonly answer: (id: unknown, result?: unknown) => Promise<void>
  readonly refuse: (id: unknown, message: string) => Promise<void>
  /** Signs the content of a request with its own or another key. */
  readonly signature: (id: unknown, options?: { otherKey?: boolean }) => string
  /** Encrypts and sends any message to the page. */
  readonly say: (message: unknown) => Promise<void>
}

let wallets = 0

/** Creates a wallet that has scanned a code. */
export async function scan(uri: string, relay: FakeRelay, time: FakeTime): Promise<ScriptedWallet> {
  const read = parseUri(uri)
  if (read === undefined) throw new Error(`${uri} is not a connection URI`)
  const key = await envelopeKey(read.key)
  wallets += 1
  const peerId = `wallet-${wallets}`
  const received: Readonly<Record<string, unknown>>[] = []
  let socket: RelayWebSocket
  const topics = [read.handshakeTopic, peerId]
  let last = Promise.resolve()
  const send = (frame: Partial<Frame>) =>
    socket.send(formatFrame({ topic: '', type: 'sub', payload: '', silent: true, ...frame }))
  const connect = (): Promise<void> => {
    socket = new relay.WebSocket('ws://relay')
    socket.addEventListener('close', () => {
      connected = connect()
    })
    socket.addEventListener('message', ({ data }) => {
      const frame = parseFrame(String(data))
      if (frame === undefined || frame.type !== 'pub') return
      // In order, although short messages are decrypted faster.
      last = last.then(async () => {
        const text = await open(key, frame.payload)
        if (text !== undefined) received.push(fieldsOf(text))
      })
    })
    return new Promise((resolve) => {
      socket.addEventListener('open', () => {
        for (const topic of topics) send({ topic })
        resolve()
      })
    })
  }
  let connected = connect()
  await connected
  const session = () => received.find(({ method }) => method === 'wc_sessionRequest')
  const page = () => {
    const { params = [] } = (session() ?? {}) as { params?: readonly { peerId: string }[] }
    return params[0]?.peerId ?? ''
  }
  const sendMessage = async (message: unknown) => {
    const payload = await seal(key, JSON.stringify(message))
    await connected
    send({ topic: page(), type: 'pub', payload })
  }
  const answer = (id: unknown, result: unknown) => sendMessage({ id, jsonrpc: '2.0', result })
  const request = (id: unknown) => {
    const message = received.find((each) => each['id'] === id)
    if (message === undefined) throw new Error('the wallet has not received that request')
    return message
  }
  const signature = (id: unknown, { otherKey = false } = {}) => {
    const [, hex] = request(id)['params'] as [string, string]
    return hexOf(sign(otherKey ? OTHER_KEY : KEY, bytesOfHex(hex) ?? new Uint8Array()))
  }
  const update = (first: object) =>
    sendMessage({ id: 1, jsonrpc: '2.0', method: 'wc_sessionUpdate', params: [first] })
  return {
    peerId,
    received,
    signature,
    say: sendMessage,
    approve: (changes) =>
      answer(session()?.['id'], {
        approved: true,
        chainId: 'pio-testnet-1',
        accounts: [account(time.now(), changes)],
        peerId,
        peerMeta: { name: 'Wallet', description: '', url: '', icons: [] },
      }),
    reject: () =>
      sendMessage({
        id: session()?.['id'],
        jsonrpc: '2.0',
        error: { code: -32000, message: 'Session Rejected' },
      }),
    update: (changes) =>
      update({
        approved: true,
        chainId: 'pio-testnet-1',
        accounts: [account(time.now(), changes)],
      }),
    end: () => update({ approved: false, chainId: null, accounts: null }),
    answer: (id, result) => answer(id, result ?? signature(id)),
    refuse: (id, message) => sendMessage({ id, jsonrpc: '2.0', error: { code: -32000, message } }),
  }
}

/** Waits until all frames, encryption and listeners of the last fake relay have been processed. */
export const settled = (): Promise<void> => quiescence(() => framesSeen())

let framesSeen = () => 0
