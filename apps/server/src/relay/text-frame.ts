const FINAL_TEXT = 0x81
/** Lengths that say that the true one follows, in two bytes or in eight. */
const [IN_TWO, IN_EIGHT] = [126, 127]

/** A text as a server writes it on a websocket: head and text in one piece (RFC 6455, 5.2). */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const head = length < IN_TWO ? 2 : length < 0x1_00_00 ? 4 : 10
  const frame = Buffer.allocUnsafe(head + length)
  frame[0] = FINAL_TEXT
  frame[1] = head === 2 ? length : head === 4 ? IN_TWO : IN_EIGHT
  if (head === 4) frame.writeUInt16BE(length, 2)
  if (head === 10) frame.writeBigUInt64BE(BigInt(length), 2)
  frame.write(text, head)
  return frame
}
