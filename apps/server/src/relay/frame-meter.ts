/** Control frames are those from here on (RFC 6455, 5.2). */
const FIRST_CONTROL = 8
/** Two bytes, and at most eight more for the length. */
const HEAD_BYTES = 10
const MASK_BYTES = 4

/**
 * Follows the frames on a connection's wire (RFC 6455, 5.2) without looking at what they carry: how many begin, and how
 * much of a message has arrived that has not ended. The websocket library shows neither fragments nor the bytes
 * between them. A class, because there is one for each connection.
 */
export class FrameMeter {
  /** Bytes received since the unfinished message or frame began, whatever they carry; 0 where none is unfinished. */
  unfinished = 0
  readonly #head = new Uint8Array(HEAD_BYTES)
  #headLength = 0
  /** Bytes of the current frame that are still to come after its head. */
  #rest = 0
  #isMessageOpen = false

  /** Reads what arrived; returns how many frames begin in it. */
  read(chunk: Uint8Array): number {
    let frames = 0
    let at = 0
    let endedAt = -1
    while (at < chunk.length) {
      if (this.#rest === 0) {
        if (this.#headLength === 0) frames += 1
        this.#head[this.#headLength] = chunk[at] ?? 0
        this.#headLength += 1
        at += 1
        if (!this.#isHeadComplete()) continue
      }
      const skipped = Math.min(this.#rest, chunk.length - at)
      this.#rest -= skipped
      at += skipped
      if (this.#rest === 0 && this.#endFrame()) endedAt = at
    }
    const isOpen = this.#isMessageOpen || this.#headLength > 0
    if (!isOpen) this.unfinished = 0
    else if (endedAt < 0) this.unfinished += chunk.length
    else this.unfinished = chunk.length - endedAt
    return frames
  }

  /** Works out the rest of the frame once its length is known. */
  #isHeadComplete(): boolean {
    const [, second = 0] = this.#head
    const length = second & 0x7f
    const extension = length === 127 ? 8 : length === 126 ? 2 : 0
    if (this.#headLength < 2 + extension) return false
    let payload = extension === 0 ? length : 0
    for (let each = 2; each < 2 + extension; each += 1) {
      payload = payload * 256 + (this.#head[each] ?? 0)
    }
    this.#rest = payload + (second & 0x80 ? MASK_BYTES : 0)
    return true
  }

  /** Closes the books on a frame; returns whether no message is open behind it. */
  #endFrame(): boolean {
    const [first = 0] = this.#head
    this.#headLength = 0
    if ((first & 0x0f) < FIRST_CONTROL) this.#isMessageOpen = (first & 0x80) === 0
    return !this.#isMessageOpen
  }
}
