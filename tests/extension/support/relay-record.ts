/** What pages and the wallet have said to each other over the relay, decrypted with the pages' keys. */
import { bytesOfHex } from '@portico/keys/bytes'
import { type EnvelopeKey, envelopeKey, open } from '@portico/wallet-connect/protocol'
import type { RecordingRelay } from './recording-relay.ts'

/** A connection as the page's library stores it. */
export interface PageSession {
  readonly clientId: string
  readonly peerId: string
  readonly handshakeId: number
  readonly publicKey: string
  readonly address: string
  readonly envelope: EnvelopeKey
}

/** The messages of one connection. */
interface Conversation {
  /** The texts of the requests, by id. */
  readonly requests: Map<string, string>
  /** The different texts of the responses, by id. */
  readonly responses: Map<string, Set<string>>
}

export interface RelayRecord {
  /** Reads what was published meanwhile. */
  readonly read: () => Promise<void>
  readonly of: (session: PageSession) => Conversation
  /** Forgets the other connections. */
  readonly keepOnly: (current: readonly PageSession[]) => void
}

/** Reads a connection from the page's local storage. */
export async function pageSession(stored: string): Promise<PageSession> {
  const { key, clientId, peerId, handshakeId, accounts } = JSON.parse(stored)
  const envelope = await envelopeKey(bytesOfHex(key) ?? new Uint8Array())
  const [{ publicKey, address }] = accounts
  return { clientId, peerId, handshakeId, publicKey, address, envelope }
}

export function relayRecord(relay: RecordingRelay): RelayRecord {
  const conversations = new Map<PageSession, Conversation>()

  function of(session: PageSession): Conversation {
    const known = conversations.get(session)
    if (known !== undefined) return known
    const created = { requests: new Map(), responses: new Map() }
    conversations.set(session, created)
    return created
  }

  return {
    of,
    async read() {
      for (const { topic, payload } of relay.takePublished()) {
        for (const session of conversations.keys()) {
          if (topic !== session.clientId && topic !== session.peerId) continue
          // The pages' library tests its connection by messages to itself.
          if (payload.startsWith('echo ')) continue
          const text = await open(session.envelope, payload)
          if (text === undefined) throw new Error('A frame was sealed with the key of another page')
          const id = /"id":(\d+)/.exec(text)?.[1] ?? ''
          const { requests, responses } = of(session)
          if (topic === session.peerId) requests.set(id, text)
          else if (!text.includes('"method"')) {
            responses.set(id, new Set([...(responses.get(id) ?? []), text]))
          }
        }
      }
    },
    keepOnly(current) {
      for (const session of conversations.keys()) {
        if (!current.includes(session)) conversations.delete(session)
      }
      for (const session of current) of(session)
    },
  }
}
