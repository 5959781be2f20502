import type { QrOptions } from './init-options.ts'
import { qrPath } from './qr-path.ts'

// The page's padding is the quiet zone of the standard. A logo covers modules, so it needs a higher error correction level.
const WITH_LOGO = ['Q', 'M', 'L'] as const
const WITHOUT_LOGO = ['M', 'L'] as const
/** Modules of one pixel scan badly. Below two pixels the code drops the logo and then lowers the error correction level. */
const MIN_MODULE_PIXELS = 2
/** Share of the width that the logo covers: 4 % of the area, out of the 25 % that level Q can restore. */
const LOGO_SHARE = 0.2

/** Loads the encoder. */
export async function loadQrEncoder() {
  const { encode } = await import('uqr')
  return encode
}

/**
 * Renders a text as a QR code, an SVG in a `data:` URL: it needs no clean-up and no permission beyond `img-src`. The
 * encoder is loaded with the first code, so users who never connect do not download it.
 */
export async function qrImage(
  text: string,
  {
    backgroundColor = '#ffffff',
    foregroundColor = '#000000',
    logoColor = '#000000',
    padding = 0,
    pixels,
    showLogo = true,
  }: QrOptions = {},
): Promise<string> {
  const encode = await loadQrEncoder()
  const levels = showLogo ? WITH_LOGO : WITHOUT_LOGO
  const fits = (ecc: (typeof levels)[number]) =>
    pixels === undefined ||
    encode(text, { ecc, border: 0 }).size + 2 * padding <= pixels / MIN_MODULE_PIXELS
  const ecc = levels.find(fits) ?? 'L'
  const { data, size } = encode(text, { ecc, border: 0 })
  const { start, whole } = viewBoxOf(size + 2 * padding, pixels)
  const at = -padding - start
  const box = `${at} ${at} ${whole} ${whole}`
  const background = `<rect x="${at}" y="${at}" width="${whole}" height="${whole}" fill="${escaped(backgroundColor)}"/>`
  const code = `<path d="${qrPath(data)}" fill="${escaped(foregroundColor)}" shape-rendering="crispEdges"/>`
  const logo = ecc === 'Q' ? logoIn(size, escaped(backgroundColor), escaped(logoColor)) : ''
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${background}${code}${logo}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/**
 * The view box for this many modules, measured in modules. At the displayed width each module is a whole number of pixels wide and starts at
 * a whole pixel: scanners fail on modules that alternate between 2 and 3 pixels.
 */
function viewBoxOf(modules: number, pixels: number | undefined): { start: number; whole: number } {
  if (pixels === undefined || pixels < modules) return { start: 0, whole: modules }
  const each = Math.floor(pixels / modules)
  const left = Math.floor((pixels - each * modules) / 2)
  return { start: left / each, whole: pixels / each }
}

/** A wallet icon in the center. */
function logoIn(size: number, background: string, color: string): string {
  const side = size * LOGO_SHARE
  const at = (size - side) / 2
  const shape =
    'M3 7a3 3 0 0 1 3-3h11v3h2a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H6a3 3 0 0 1-3-3zm13 5v3h5v-3z'
  return (
    `<rect x="${at}" y="${at}" width="${side}" height="${side}" fill="${background}"/>` +
    `<svg x="${at}" y="${at}" width="${side}" height="${side}" viewBox="0 0 24 24"><path d="${shape}" fill="${color}" fill-rule="evenodd"/></svg>`
  )
}

/** Escapes colors: a page may take them from its URL. */
function escaped(color: string): string {
  return color.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
