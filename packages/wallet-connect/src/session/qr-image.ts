import type { QrOptions } from './init-options.ts'

// The quiet zone that the standard asks for is the page's padding; a logo covers modules, so the code repairs more.
const WITH_LOGO = ['Q', 'M', 'L'] as const
const WITHOUT_LOGO = ['M', 'L'] as const
/** A module of one pixel can hardly be read; below two a code gives up its logo, and then repairs less. */
const MODULE_PIXELS_MINIMUM = 2
/** Share of the width that the logo covers: 4 % of the area, of the 25 % that can be repaired. */
const LOGO_SHARE = 0.2

/** Loads the encoder, for whoever knows that there will be a code to draw. */
export async function loadQrEncoder() {
  const { encode } = await import('uqr')
  return encode
}

/**
 * Draws a text as a QR code, an SVG in a `data:` address: it needs no clean-up and no permission beyond images. The
 * encoder is loaded when the first code is drawn; a page whose people never connect does not pay for it.
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
    encode(text, { ecc, border: 0 }).size + 2 * padding <= pixels / MODULE_PIXELS_MINIMUM
  const ecc = levels.find(fits) ?? 'L'
  const { data, size } = encode(text, { ecc, border: 0 })
  const modules = data.flatMap((row, y) =>
    runs(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`),
  )
  const { start, whole } = frameOf(size + 2 * padding, pixels)
  const at = -padding - start
  const box = `${at} ${at} ${whole} ${whole}`
  const background = `<rect x="${at}" y="${at}" width="${whole}" height="${whole}" fill="${escaped(backgroundColor)}"/>`
  const code = `<path d="${modules.join('')}" fill="${escaped(foregroundColor)}" shape-rendering="crispEdges"/>`
  const logo = ecc === 'Q' ? logoIn(size, escaped(backgroundColor), escaped(logoColor)) : ''
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${background}${code}${logo}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/**
 * The frame around so many modules, in modules: shown at its width, each module is a whole number of pixels wide and begins at
 * a whole pixel. Readers lose count where modules are 2 and 3 pixels wide in turn.
 */
function frameOf(modules: number, pixels: number | undefined): { start: number; whole: number } {
  if (pixels === undefined || pixels < modules) return { start: 0, whole: modules }
  const each = Math.floor(pixels / modules)
  const left = Math.floor((pixels - each * modules) / 2)
  return { start: left / each, whole: pixels / each }
}

/** A row as its dark stretches: where each begins and how long it is. */
function runs(row: readonly boolean[]): [x: number, width: number][] {
  const found: [number, number][] = []
  row.forEach((dark, x) => {
    const last = found.at(-1)
    if (!dark) return
    if (last !== undefined && last[0] + last[1] === x) last[1] += 1
    else found.push([x, 1])
  })
  return found
}

/** A wallet, drawn in the middle. */
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

/** Colors are the page's, but a page may take them from its address. */
function escaped(color: string): string {
  return color.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
