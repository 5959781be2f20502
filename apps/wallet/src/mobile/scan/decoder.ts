/** Reads codes in pictures of the camera: with the browser's own detector if it has one, else in a worker. */
import { trustedScriptUrl } from '@portico/shell/trusted-script-url'
import type { ReadRequest, ReadResponse } from './read-image.worker.ts'
// oxlint-disable-next-line import/default -- With this query, Vite exports the worker's URL as the default export.
import workerUrl from './read-image.worker.ts?worker&url'

export interface Decoder {
  /** Returns the text of the code in a picture; undefined if the picture has no code. `thorough` may take longer. */
  readonly decode: (
    picture: CanvasRenderingContext2D,
    thorough: boolean,
  ) => Promise<string | undefined>
  readonly close: () => void
}

/** The Shape Detection API, which only some browsers support, and not for every format. */
interface BarcodeDetector {
  detect(image: ImageBitmapSource): Promise<readonly { readonly rawValue: string }[]>
}
interface BarcodeDetectors {
  new (options: { formats: readonly string[] }): BarcodeDetector
  getSupportedFormats(): Promise<readonly string[]>
}

export function openDecoder(): Decoder {
  const own = workerDecoder()
  const detecting = nativeDetector()
  return {
    async decode(picture, thorough) {
      const detector = await detecting
      const [found] = (await detector?.detect(picture.canvas).catch(() => [])) ?? []
      return found?.rawValue ?? own.decode(picture, thorough)
    },
    close: own.close,
  }
}

async function nativeDetector(): Promise<BarcodeDetector | undefined> {
  const { BarcodeDetector: detectors } = globalThis as { BarcodeDetector?: BarcodeDetectors }
  const formats = (await detectors?.getSupportedFormats().catch(() => [])) ?? []
  return detectors && formats.includes('qr_code')
    ? new detectors({ formats: ['qr_code'] })
    : undefined
}

function workerDecoder(): Decoder {
  let worker: Worker | undefined
  let count = 0
  return {
    decode(picture, thorough) {
      worker ??= new Worker(trustedScriptUrl(workerUrl), { type: 'module' })
      const current = worker
      count += 1
      const id = count
      const { width, height } = picture.canvas
      const { data } = picture.getImageData(0, 0, width, height)
      const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
      const listening = new AbortController()
      current.addEventListener(
        'message',
        ({ data: response }: MessageEvent<ReadResponse>) => {
          if (response.id === id) resolve(response.text)
        },
        { signal: listening.signal },
      )
      current.addEventListener(
        'error',
        (event) => {
          // The next picture is read by a new one.
          if (worker === current) worker = undefined
          current.terminate()
          reject(new Error('The worker that reads codes failed', { cause: event }))
        },
        { signal: listening.signal },
      )
      const request: ReadRequest = { id, pixels: { data, width, height }, thorough }
      current.postMessage(request, [data.buffer])
      return promise.finally(() => listening.abort())
    },
    close() {
      worker?.terminate()
      worker = undefined
    },
  }
}
