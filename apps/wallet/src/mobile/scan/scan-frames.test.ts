import { expect, onTestFinished, test, vi } from 'vitest'
import { scanFrames } from './scan-frames.ts'

/** The time between two frames of this camera. */
const FRAME_MS = 250

test('2.7 the larger decoder helps only after a second without a code, and again a second after each code', async () => {
  onTestFinished(() => void vi.restoreAllMocks())
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const context = { drawImage: () => undefined }
  vi.stubGlobal('document', { createElement: () => ({ getContext: () => context }) })
  const video = {
    videoWidth: 640,
    videoHeight: 480,
    requestVideoFrameCallback(run: () => void) {
      now += FRAME_MS
      queueMicrotask(run)
    },
  } as unknown as HTMLVideoElement // Only these parts are used.

  const scanning = new AbortController()
  const thoroughAt: number[] = []
  const codes: string[] = []
  const decode = async (_: unknown, thorough: boolean) => {
    if (thorough) thoroughAt.push(now)
    if (now === 5000) scanning.abort()
    return now === 2000 ? 'a code' : undefined
  }
  const onCode = (code: string) => void codes.push(code)
  const { signal } = scanning
  const added = vi.spyOn(signal, 'addEventListener')
  const removed = vi.spyOn(signal, 'removeEventListener')
  await scanFrames(video, { decode, close: () => undefined }, { signal, onCode })

  expect(codes).toEqual(['a code'])
  expect(thoroughAt.filter((at) => at <= 2000)).toEqual([1250, 1500, 1750, 2000])
  expect(thoroughAt.find((at) => at > 2000)).toBe(3250)
  expect(removed.mock.calls.length).toBe(added.mock.calls.length)
})
