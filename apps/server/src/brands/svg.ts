/**
 * Reads an SVG file, which must be a plain drawing: only listed elements and attributes are allowed, nothing that a browser
 * might run, load or repeat endlessly. Malformed XML is rejected too, because browsers show a broken image for it.
 */
import { normalizeHexColor } from '@portico/rules/color'
import { SaxesParser } from 'saxes'

/** A file's errors and paint colors. The colors are undefined if one of them has an uncommon name. */
export interface Svg {
  readonly errors: readonly string[]
  readonly colors: readonly string[] | undefined
}

const ELEMENTS = new Set(
  `svg g defs title desc path rect circle ellipse line polyline polygon text tspan
  linearGradient radialGradient stop clipPath mask`.split(/\s+/),
)

const ATTRIBUTES = new Set(
  `xmlns xmlns:xlink version id viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy d points dx dy transform
  preserveAspectRatio fill fill-rule fill-opacity stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-dasharray stroke-dashoffset stroke-opacity opacity color display visibility clip-path clip-rule mask
  clipPathUnits maskUnits maskContentUnits gradientUnits gradientTransform spreadMethod offset stop-color stop-opacity
  font-family font-size font-weight font-style letter-spacing word-spacing text-anchor dominant-baseline textLength
  lengthAdjust role aria-label aria-hidden xml:space shape-rendering text-rendering vector-effect paint-order`.split(
    /\s+/,
  ),
)

const NAMESPACES: Readonly<Record<string, string>> = {
  xmlns: 'http://www.w3.org/2000/svg',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
}

/** Elements that draw something; a file needs at least one. */
const SHAPES = new Set('path rect circle ellipse line polyline polygon text'.split(' '))

/** A reference to another part of the file, such as a gradient or clip path. */
const LOCAL_REFERENCE = /url\(#[\w-]+\)/g

/** A URL, or a CSS escape or comment that could hide one. */
const REFERENCE = /\\|url|:|\/\*/i

const PAINTS = new Set(['fill', 'stroke', 'stop-color'])
const NO_PAINT = new Set(['none', 'currentcolor', 'inherit', 'transparent', 'url'])
/** The commonly used color names. */
const NAMED_COLORS: Readonly<Record<string, string | undefined>> = {
  white: '#ffffff',
  black: '#000000',
}

const MAX_LISTED_ERRORS = 20

export function readSvg(text: string): Svg {
  const errors = new Set<string>()
  const paints = new Set<string>()
  let hasRoot = false
  let draws = false
  const parser = new SaxesParser({ forceXMLVersion: true, defaultXMLVersion: '1.0' })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (encoding.toLowerCase() !== 'utf-8') parser.fail('the encoding is not UTF-8.')
  })
  parser.on('doctype', () => parser.fail('a document type is not allowed.'))
  parser.on('processinginstruction', () => parser.fail('an instruction is not allowed.'))
  parser.on('cdata', () => parser.fail('CDATA is not allowed.'))
  parser.on('opentag', ({ name, attributes }) => {
    if (!hasRoot && name !== 'svg') errors.add('does not begin with an <svg> element')
    if (!hasRoot && !('xmlns' in attributes)) {
      errors.add('is missing xmlns="http://www.w3.org/2000/svg"')
    }
    hasRoot = true
    draws ||= SHAPES.has(name)
    if (!ELEMENTS.has(name)) {
      errors.add(`contains <${name}>, which is not allowed in a plain drawing`)
    }
    for (const [attribute, value] of Object.entries(attributes)) {
      const error = attributeError(attribute, value)
      if (error !== undefined) errors.add(`${error} on <${name}>; remove it`)
      if (PAINTS.has(attribute)) paints.add(value.trim().toLowerCase())
    }
  })
  try {
    parser.write(text).close()
    if (!draws) errors.add('draws nothing')
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // The parser's messages begin with line and column and end with a period.
    errors.add(`cannot be read at ${error.message.replace(/\.$/, '')}; export it as plain SVG`)
  }
  return { errors: [...errors].slice(0, MAX_LISTED_ERRORS), colors: colorsOf(paints) }
}

function attributeError(name: string, value: string): string | undefined {
  if (!ATTRIBUTES.has(name)) return `has ${name}`
  const namespace = NAMESPACES[name]
  if (namespace !== undefined) return value === namespace ? undefined : `has an unknown ${name}`
  return REFERENCE.test(value.replace(LOCAL_REFERENCE, ''))
    ? `refers to something outside the file in ${name}`
    : undefined
}

function colorsOf(paints: ReadonlySet<string>): readonly string[] | undefined {
  const colors = [...paints].flatMap((paint) => {
    const [color] = /^(?:#[0-9a-f]{3,8}|[a-z]+)/.exec(paint) ?? []
    return color === undefined || NO_PAINT.has(color) ? [] : [color]
  })
  // The default fill of a shape is black.
  const used = colors.length === 0 ? ['black'] : colors
  const hex = used.map((color) => normalizeHexColor(color) ?? NAMED_COLORS[color])
  return hex.includes(undefined) ? undefined : hex.filter((color) => color !== undefined)
}
