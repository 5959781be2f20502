/** Reads a QR code in pixels. `qr` is small and reads most codes; the larger `zxing-wasm` is loaded when it does not. */
import { decodeQR } from 'qr/decode.js'
import type { readBarcodes } from 'zxing-wasm/reader'

/** Loads the larger decoder. */
export type LoadZxing = () => Promise<typeof readBarcodes>

/** RGBA pixels. */
export interface Pixels {
  readonly data: Uint8ClampedArray<ArrayBuffer>
  readonly width: number
  readonly height: number
}

/** Returns the text of the code; undefined if the picture has no code. */
export async function readImage(
  pixels: Pixels,
  loadZxing: LoadZxing | undefined,
): Promise<string | undefined> {
  const text = readWithQr(pixels)
  if (text !== undefined || loadZxing === undefined) return text
  const readBarcodes = await loadZxing()
  const [found] = await readBarcodes(
    { ...pixels, colorSpace: 'srgb' },
    { formats: ['QRCode'], maxNumberOfSymbols: 1, tryHarder: true, tryInvert: true },
  )
  return found?.text
}

function readWithQr(pixels: Pixels): string | undefined {
  try {
    return decodeQR(pixels)
  } catch {
    // The library throws if there is no readable code in the picture.
    return undefined
  }
}
