import { contrast } from '@portico/rules/theme-color'

/** A paint color in an attribute or declaration. */
const PAINT = /(?:fill|stroke|stop-color)\s*[=:]\s*(?:["']\s*)?(#[0-9a-f]{3,8}|[a-z]+)/gi

/** The commonly used color names. */
const NAMED: Readonly<Record<string, string | undefined>> = { white: '#ffffff', black: '#000000' }
const NO_PAINT = new Set(['none', 'currentcolor', 'inherit', 'transparent', 'url'])

/** The highest contrast of a vector logo's colors against a background; infinite if it uses an uncommon color name. */
export function logoContrast(svg: string, background: string): number {
  const paints = [...svg.matchAll(PAINT)]
    .map(([, paint = '']) => paint.toLowerCase())
    .filter((paint) => !NO_PAINT.has(paint))
  // The default fill of a shape is black.
  const colors = (paints.length === 0 ? ['black'] : paints).map(asHex)
  return Math.max(
    ...colors.map((color) => (color === undefined ? Infinity : contrast(color, background))),
  )
}

function asHex(paint: string): string | undefined {
  if (!paint.startsWith('#')) return NAMED[paint]
  const digits = paint.slice(1)
  const short = digits.length < 6
  const [r = '', g = '', b = ''] = (digits.match(short ? /./g : /../g) ?? []).map((channel) =>
    short ? channel.repeat(2) : channel,
  )
  return `#${r}${g}${b}`
}
