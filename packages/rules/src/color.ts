/**
 * Color arithmetic for themes: sRGB hex to OKLCH and back (Ottosson's OKLab matrices) and the
 * contrast ratio of WCAG 2. Everything is computed from the 8-bit hex that the browser will
 * paint, never on the unrounded value.
 */

/** A color by lightness (0 to 1), chroma (0 to about 0.4) and hue in degrees. */
export type Oklch = { readonly l: number; readonly c: number; readonly h: number }

type Triple = readonly [number, number, number]

const toLinear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4

/** Precomputed, because themes need these values thousands of times. */
const LINEAR = Array.from({ length: 256 }, (_, byte) => toLinear(byte / 255))

const fromLinear = (channel: number) =>
  channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055

function linearChannels(hex: string): Triple {
  if (!/^#[0-9a-f]{6}$/i.test(hex)) {
    throw new TypeError(
      `'${hex}' is not a color of the form #rrggbb. A theme is derived from exactly one such color.`,
    )
  }
  const bytes = Number.parseInt(hex.slice(1), 16)
  const channel = (byte: number) => LINEAR[byte & 0xff] ?? 0
  return [channel(bytes >> 16), channel(bytes >> 8), channel(bytes)]
}

/** The `#rrggbb` of a CSS hex color of any length, without its alpha. */
export function normalizeHexColor(text: string): string | undefined {
  const [, digits] = /^#([0-9a-f]{3,8})$/i.exec(text) ?? []
  if (digits === undefined) return undefined
  const rgb = digits.length < 6 ? digits.slice(0, 3).replaceAll(/./g, '$&$&') : digits.slice(0, 6)
  return `#${rgb.toLowerCase()}`
}

/** The OKLCH coordinates of a `#rrggbb` color. */
export function hexToOklch(hex: string): Oklch {
  const [r, g, b] = linearChannels(hex)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, bb),
    h: ((Math.atan2(bb, a) * 180) / Math.PI + 360) % 360,
  }
}

function oklchToLinear({ l, c, h }: Oklch): Triple {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const ll = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const mm = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const ss = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * ll - 3.3077115913 * mm + 0.2309699292 * ss,
    -1.2684380046 * ll + 2.6097574011 * mm - 0.3413193965 * ss,
    -0.0041960863 * ll - 0.7034186147 * mm + 1.707614701 * ss,
  ]
}

const isInGamut = (channels: Triple) => channels.every((x) => x >= -0.0005 && x <= 1.0005)

/** The `#rrggbb` of an OKLCH color. Chroma is reduced until it is in the sRGB gamut; lightness and hue stay. */
export function oklchToHex(color: Oklch): string {
  const l = Math.min(1, Math.max(0, color.l))
  let channels = oklchToLinear({ ...color, l })
  if (!isInGamut(channels)) {
    let low = 0
    let high = color.c
    for (let step = 0; step < 16; step += 1) {
      const c = (low + high) / 2
      if (isInGamut(oklchToLinear({ ...color, l, c }))) low = c
      else high = c
    }
    channels = oklchToLinear({ ...color, l, c: low })
  }
  const byte = (channel: number) =>
    Math.round(fromLinear(Math.min(1, Math.max(0, channel))) * 255)
      .toString(16)
      .padStart(2, '0')
  return `#${channels.map(byte).join('')}`
}

function luminance(hex: string): number {
  const [r, g, b] = linearChannels(hex)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The WCAG 2 contrast ratio of two `#rrggbb` colors, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}
