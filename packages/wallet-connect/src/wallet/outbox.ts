/**
 * Messages to the page that must arrive even if this process is stopped or the connection breaks silently: each is stored before
 * it is sent, and sent again on every new connection until the relay has confirmed it. Pages ignore repeated answers by id.
 */
import { storedLength } from '../protocol/stored-length.ts'
import type { Peer } from '../transport/peer.ts'
import type { SessionStorage } from './session-storage.ts'

export interface Outbox {
  /** Sends a message once it is stored; if storing fails, too, unless it requires that the session is stored. */
  readonly post: (
    topic: string,
    text: string,
    options?: { readonly requiresStorage?: boolean },
  ) => void
  /** Sends the unconfirmed messages again, on a new connection. */
  readonly opened: () => void
  readonly closed: () => void
  /** The unconfirmed messages, oldest first. */
  readonly texts: () => readonly string[]
}

interface Message {
  readonly topic: string
  readonly text: string
  isStored: boolean
}

// More would be an offline wallet in which the user keeps answering.
const MAX_MESSAGES = 64

// A page chooses its relay, which may never confirm anything, and the length of some answers.
const MAX_LENGTH = 64 * 1024

export function outbox({
  peer,
  storage,
  onConfirmed,
  resumed,
}: {
  readonly peer: Pick<Peer, 'confirm' | 'send' | 'wake'>
  readonly storage: SessionStorage
  /** Called when messages were removed, which need not be stored any longer. */
  readonly onConfirmed: () => void
  /** The stored messages of a resumed session. */
  readonly resumed: readonly Omit<Message, 'isStored'>[]
}): Outbox {
  let messages: readonly Message[] = resumed.map((each) => ({ ...each, isStored: true }))
  let isOpen = false

  async function transmit(sent: readonly Message[]): Promise<void> {
    for (const { topic, text } of sent) peer.send(topic, text)
    if (sent.length === 0 || !(await peer.confirm())) return
    messages = messages.filter((each) => !sent.includes(each))
    onConfirmed()
  }

  return {
    post(topic, text, { requiresStorage = false } = {}) {
      const message = { topic, text, isStored: false }
      messages = latest([...messages, message])
      // A failure to store is reported; the page waits for its answer nevertheless.
      storage.save().catch(() => undefined)
      storage.afterSaving((isSaved) => {
        if (requiresStorage && !isSaved) return
        message.isStored = true
        if (isOpen) void transmit([message])
        // Not after the backoff: a hosted wallet closes soon after the user has decided.
        else peer.wake()
      })
    },
    opened() {
      isOpen = true
      void transmit(messages.filter(({ isStored }) => isStored))
    },
    closed() {
      isOpen = false
    },
    texts: () => messages.map(({ text }) => text),
  }
}

/** The last messages within the limits, at least one. */
function latest(messages: readonly Message[]): readonly Message[] {
  const kept = messages.slice(-MAX_MESSAGES)
  let length = kept.reduce((sum, { text }) => sum + storedLength(text), 0)
  while (kept.length > 1 && length > MAX_LENGTH) {
    length -= storedLength(kept.shift()?.text ?? '')
  }
  return kept
}
