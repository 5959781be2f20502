/** Reads codes beside the page, so that its picture moves smoothly. */
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { type LoadZxing, type Pixels, readImage } from './read-image.ts'

/** A picture to read; `thorough` allows the larger decoder. */
export interface ReadRequest {
  readonly id: number
  readonly pixels: Pixels
  readonly thorough: boolean
}

/** The text of the code; undefined if none was found. */
export interface ReadResponse {
  readonly id: number
  readonly text: string | undefined
}

const loadZxing: LoadZxing = async () => {
  const { prepareZXingModule, readBarcodes } = await import('zxing-wasm/reader')
  // Our own copy: the library would load its file from a public network.
  await prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true })
  return readBarcodes
}

addEventListener('message', ({ data: { id, pixels, thorough } }: MessageEvent<ReadRequest>) => {
  void readImage(pixels, thorough ? loadZxing : undefined)
    // The decoder could not be loaded; the next picture tries again.
    .catch(() => undefined)
    .then((text) => {
      const response: ReadResponse = { id, text }
      postMessage(response)
    })
})
