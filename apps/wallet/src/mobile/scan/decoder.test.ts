import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDecoder } from './decoder.ts'
import type { ReadRequest, ReadResponse } from './read-image.worker.ts'

const FOUND_BY_WORKER = 'found in the worker'

/** The pictures that the worker has read; `true` if the larger decoder was allowed. */
let readByWorker: boolean[]
let workers: number
let isWorkerBroken: boolean

beforeEach(() => {
  readByWorker = []
  workers = 0
  isWorkerBroken = false
  class FakeWorker extends EventTarget {
    constructor() {
      super()
      workers += 1
    }
    postMessage({ id, thorough }: ReadRequest) {
      if (isWorkerBroken) {
        this.dispatchEvent(new Event('error'))
        return
      }
      readByWorker.push(thorough)
      const data: ReadResponse = { id, text: FOUND_BY_WORKER }
      this.dispatchEvent(new MessageEvent('message', { data }))
    }
    terminate() {}
  }
  vi.stubGlobal('Worker', FakeWorker)
})
afterEach(() => void vi.unstubAllGlobals())

const detectorOf = (detect: () => Promise<{ rawValue: string }[]>, format = 'qr_code') => {
  class Detector {
    static readonly getSupportedFormats = async () => [format]
    readonly detect = detect
  }
  vi.stubGlobal('BarcodeDetector', Detector)
}

const PICTURE = {
  canvas: { width: 1, height: 1 },
  getImageData: () => ({ data: new Uint8ClampedArray(4) }),
} as unknown as CanvasRenderingContext2D // Only these parts are used.

async function decode(thorough = false): Promise<string | undefined> {
  const decoder = openDecoder()
  const text = await decoder.decode(PICTURE, thorough)
  decoder.close()
  return text
}

test('2.7 the browser’s own detector is used first, and the worker only for what it does not find', async () => {
  detectorOf(async () => [{ rawValue: 'found by the browser' }])
  expect(await decode()).toBe('found by the browser')
  expect(readByWorker).toEqual([])
  detectorOf(async () => [])
  expect(await decode()).toBe(FOUND_BY_WORKER)
})

test.each([
  ['is missing', () => undefined],
  ['reads no QR codes', () => detectorOf(async () => [{ rawValue: 'a bar code' }], 'ean_13')],
  ['fails', () => detectorOf(async () => Promise.reject(new Error('The service is gone')))],
])('2.7 a browser’s detector that %s is replaced by the worker', async (_, prepare) => {
  prepare()
  expect(await decode(true)).toBe(FOUND_BY_WORKER)
  expect(readByWorker).toEqual([true])
})

test('2.7 after the worker failed, the next picture is read by a new one', async () => {
  const decoder = openDecoder()
  isWorkerBroken = true
  await expect(decoder.decode(PICTURE, false)).rejects.toThrow('failed')
  isWorkerBroken = false
  expect(await decoder.decode(PICTURE, false)).toBe(FOUND_BY_WORKER)
  expect(workers).toBe(2)
})
