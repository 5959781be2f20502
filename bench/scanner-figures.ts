import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { readImage } from '../apps/wallet/src/mobile/scan/read-image.ts'
import { cameraFrames, pixelsOf } from '../tests/support/camera-frames.ts'
import { type Figure, figure, short } from './figure.ts'

const LEAST_PERCENT = 85

/**
 * The share of generated camera frames that the scanner of the mobile wallet reads without the browser's own detector, against
 * its small decoder alone, and the time of one attempt.
 */
export async function scannerFigures(): Promise<Figure[]> {
  const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
  await prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm) }, fireImmediately: true })
  const both = { read: 0, wrong: 0, times: [] as number[] }
  const small = { read: 0, wrong: 0, times: [] as number[] }
  let count = 0
  for (const frame of cameraFrames()) {
    count += 1
    const pixels = pixelsOf(frame)
    for (const [result, loadZxing] of [
      [small, undefined],
      [both, async () => readBarcodes],
    ] as const) {
      const startedAt = performance.now()
      const text = await readImage(pixels, loadZxing)
      result.times.push(performance.now() - startedAt)
      if (text === frame.text) result.read += 1
      else if (text !== undefined) result.wrong += 1
    }
  }
  const on = `${count} generated camera frames`
  const percent = (value: number) => `${short(value)} %`
  return [
    figure({
      figure: 'Codes read by the scanner without a native detector; its small decoder alone',
      on,
      ours: [(both.read / count) * 100],
      baseline: [(small.read / count) * 100],
      write: percent,
      budget: { text: `${LEAST_PERCENT} %`, isMet: ({ ours }) => ours >= LEAST_PERCENT },
    }),
    figure({
      figure: 'Codes read wrongly; the small decoder alone',
      on,
      ours: [both.wrong],
      baseline: [small.wrong],
      write: (value) => `${value}`,
      budget: { text: '0', isMet: ({ ours }) => ours === 0 },
    }),
    figure({
      figure: 'One attempt, 95th percentile; the small decoder alone',
      on,
      ours: [percentile(both.times)],
      baseline: [percentile(small.times)],
      write: (value) => `${short(value)} ms`,
    }),
  ]
}

const percentile = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
