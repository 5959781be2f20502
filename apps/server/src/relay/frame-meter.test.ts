import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { FrameMeter } from './frame-meter.ts'

interface Frame {
  readonly opcode: number
  readonly isFinal: boolean
  readonly length: number
}

/** A masked client frame. The lengths cover all encodings. */
function bytesOf({ opcode, isFinal, length }: Frame): Buffer {
  const head = length < 126 ? 2 : length < 0x1_00_00 ? 4 : 10
  const frame = Buffer.alloc(head + 4 + length, 0xff)
  frame[0] = (isFinal ? 0x80 : 0) | opcode
  frame[1] = 0x80 | (head === 2 ? length : head === 4 ? 126 : 127)
  if (head === 4) frame.writeUInt16BE(length, 2)
  if (head === 10) frame.writeBigUInt64BE(BigInt(length), 2)
  return frame
}

const text = (length: number, isFinal = true): Frame => ({ opcode: 1, isFinal, length })
const more = (length: number, isFinal = false): Frame => ({ opcode: 0, isFinal, length })
const pong = (length = 0): Frame => ({ opcode: 10, isFinal: true, length })
const wire = (...frames: Frame[]) => Buffer.concat(frames.map(bytesOf))

test('protocol 3.4: every frame is counted, whatever its payload and however it is split', () => {
  const length = fc.oneof(fc.nat({ max: 300 }), fc.constantFrom(125, 126, 65_535, 65_536))
  const message = fc
    .tuple(
      length,
      fc.array(
        fc.oneof(
          length.map((n) => more(n)),
          fc.nat({ max: 125 }).map(pong),
        ),
      ),
    )
    .map(([first, rest]) =>
      rest.length === 0 ? [text(first)] : [text(first, false), ...rest, more(0, true)],
    )
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1 }),
      (messages, cuts) => {
        const frames = messages.flat()
        const bytes = wire(...frames)
        const meter = new FrameMeter()
        let counted = 0
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const cut = cuts[turn % cuts.length] ?? 1
          counted += meter.read(bytes.subarray(at, at + cut))
          at += cut
        }
        expect(counted).toBe(frames.length)
        expect(meter.unfinished).toBe(0)
      },
    ),
    { numRuns: 50 },
  )
})

test('protocol 3.4: data between two fragments counts towards the unfinished message', () => {
  const meter = new FrameMeter()
  const begin = wire(text(20), text(1, false), pong(125))
  meter.read(begin)
  expect(meter.unfinished).toBe(begin.length - bytesOf(text(20)).length)
  const before = meter.unfinished
  meter.read(wire(pong(), pong(), more(1)))
  expect(meter.unfinished).toBe(before + 6 + 6 + 7)
  meter.read(wire(more(0, true)))
  expect(meter.unfinished).toBe(0)
})

test('protocol 3.4: a split frame is unfinished until its last byte, and a pong after a message is not part of it', () => {
  const meter = new FrameMeter()
  const frame = bytesOf(text(70_000))
  for (let at = 0; at < frame.length - 1; at += 1000) {
    meter.read(frame.subarray(at, Math.min(at + 1000, frame.length - 1)))
  }
  expect(meter.unfinished).toBe(frame.length - 1)
  meter.read(Buffer.concat([frame.subarray(-1), wire(pong()).subarray(0, 3)]))
  expect(meter.unfinished).toBe(3)
  meter.read(wire(pong()).subarray(3))
  expect(meter.unfinished).toBe(0)
})
