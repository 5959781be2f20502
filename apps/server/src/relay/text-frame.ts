const FINAL_TEXT = 0x81
/** Length values that indicate a following length of two or eight bytes. */
const [TWO_BYTE_LENGTH, EIGHT_BYTE_LENGTH] = [126, 127]

/** Encodes a text frame from server to client in one buffer (RFC 6455, 5.2). */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const head = length < TWO_BYTE_LENGTH ? 2 : length < 0x1_00_00 ? 4 : 10
  const frame = Buffer.allocUnsafe(head + length)
  frame[0] = FINAL_TEXT
  frame[1] = head === 2 ? length : head === 4 ? TWO_BYTE_LENGTH : EIGHT_BYTE_LENGTH
  if (head === 4) frame.writeUInt16BE(length, 2)
  if (head === 10) frame.writeBigUInt64BE(BigInt(length), 2)
  frame.write(text, head)
  return frame
}
