/** Control frames have this opcode or higher (RFC 6455, 5.2). */
const MIN_CONTROL_OPCODE = 8
/** Two bytes and up to eight more for the length. */
const HEAD_BYTES = 10
const MASK_BYTES = 4

/**
 * Tracks the frames on a connection (RFC 6455, 5.2) without reading their payload: how many begin, and how many bytes
 * of an incomplete message have arrived. The WebSocket library exposes neither fragments nor partial frames. A class,
 * because there is one per connection.
 */
export class FrameMeter {
  /** Bytes of the unfinished message or frame so far, including control frames; 0 when nothing is unfinished. */
  unfinished = 0
  readonly #head = new Uint8Array(HEAD_BYTES)
  #headLength = 0
  /** The remaining bytes of the current frame after its header. */
  #rest = 0
  #isMessageOpen = false

  /** Processes received bytes; returns the number of frames that begin in them. */
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

  /** Computes the remaining bytes of the frame once its header is complete. */
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

  /** Completes a frame; returns whether no message is incomplete after it. */
  #endFrame(): boolean {
    const [first = 0] = this.#head
    this.#headLength = 0
    if ((first & 0x0f) < MIN_CONTROL_OPCODE) this.#isMessageOpen = (first & 0x80) === 0
    return !this.#isMessageOpen
  }
}
