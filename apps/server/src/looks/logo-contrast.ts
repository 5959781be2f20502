import { contrast } from '@portico/rules/theme-color'

/** A color that a picture paints with: an attribute or a declaration. */
const PAINT = /(?:fill|stroke|stop-color)\s*[=:]\s*(?:["']\s*)?(#[0-9a-f]{3,8}|[a-z]+)/gi

/** The two colors that are commonly named; what paints nothing of its own is no color. */
const NAMED: Readonly<Record<string, string | undefined>> = { white: '#ffffff', black: '#000000' }
const NO_PAINT = new Set(['none', 'currentcolor', 'inherit', 'transparent', 'url'])

/**
 * How well the most visible color of a vector logo stands out from the ground it stands on. Where that cannot be told,
 * because it has colors by uncommon names, as well as can be.
 */
export function logoContrast(svg: string, ground: string): number {
  const paints = [...svg.matchAll(PAINT)]
    .map(([, paint = '']) => paint.toLowerCase())
    .filter((paint) => !NO_PAINT.has(paint))
  // A shape that is not told its color is black.
  const colors = (paints.length === 0 ? ['black'] : paints).map(asHex)
  return Math.max(
    ...colors.map((color) => (color === undefined ? Infinity : contrast(color, ground))),
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
