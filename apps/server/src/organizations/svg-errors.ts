/**
 * Checks that an SVG file is a plain drawing, against a list of allowed elements and attributes. Anything that a
 * browser might run, load or repeat endlessly is not on the list. XML that is not well-formed is refused as well,
 * because a browser shows a broken picture for it.
 */

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

const DECLARATION =
  /^\uFEFF?(?:<\?xml\s+version=["']1\.[01]["'](?:\s+encoding=["']utf-8["'])?(?:\s+standalone=["'](?:yes|no)["'])?\s*\?>)?\s*/i
const ATTRIBUTE = /\s+([\w:-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g
const TOKEN =
  /<!--(?:(?!--)[^])*-->|<\/(?<end>[\w:-]+)\s*>|<(?<name>[\w:-]+)(?<attributes>(?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/?)>|(?<text>[^<]+)/y

/** A reference to another part of the file, such as a gradient or clip path. */
const LOCAL_REFERENCE = /url\(#[\w-]+\)/g

/** Characters that XML does not allow. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u
const ENTITY = /&(?:amp|lt|gt|quot|apos|#(?<decimal>\d{1,7})|#x(?<hex>[\da-fA-F]{1,6}));/g

const LISTED_ERRORS_MAXIMUM = 20

/** Returns what makes a file more than a plain drawing and how to fix it; empty if it is one. */
export function svgErrors(file: string): string[] {
  const svg = file.replace(DECLARATION, '')
  const errors = new Set<string>()
  const open: string[] = []
  let roots = 0
  let draws = false
  if (NOT_XML.test(svg)) errors.add('contains control characters; export it as plain SVG')
  let at = 0
  while (at < svg.length) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(svg)
    if (!token) {
      errors.add(
        `cannot be read at ${JSON.stringify(svg.slice(at, at + 30))}; export it as plain SVG`,
      )
      break
    }
    at = TOKEN.lastIndex
    const { end, name, attributes = '', empty, text } = token.groups ?? {}
    if (end !== undefined && open.pop() !== end) errors.add(`closes <${end}>, which is not open`)
    if (text !== undefined) {
      if (open.length === 0 && text.trim() !== '') errors.add('has text outside its <svg> element')
      if (!isXmlText(text)) errors.add('contains & or ]]> in text; write &amp; and ]]&gt;')
    }
    if (name === undefined) continue
    if (open.length === 0) roots += 1
    if (open.length === 0 && name !== 'svg') errors.add('does not begin with an <svg> element')
    if (open.length === 0 && !/\sxmlns=/.test(attributes)) {
      errors.add('is missing xmlns="http://www.w3.org/2000/svg"')
    }
    if (empty === '') open.push(name)
    if (SHAPES.has(name)) draws = true
    if (!ELEMENTS.has(name))
      errors.add(`contains <${name}>, which is not allowed in a plain drawing`)
    for (const error of attributeErrors(name, attributes)) errors.add(error)
  }
  if (open.length > 0) errors.add(`does not close <${open.at(-1)}>`)
  if (roots !== 1) errors.add('must be one <svg> element')
  if (!draws) errors.add('draws nothing')
  return [...errors].slice(0, LISTED_ERRORS_MAXIMUM)
}

function isXmlText(text: string): boolean {
  const plain = text.replace(ENTITY, (_entity, decimal?: string, hex?: string) => {
    const code = decimal === undefined ? parseInt(hex ?? '20', 16) : Number(decimal)
    return code > 0x10_ff_ff || NOT_XML.test(String.fromCodePoint(code)) ? '&' : ' '
  })
  return !/&|]]>/.test(plain)
}

function attributeErrors(element: string, attributes: string): string[] {
  const names = new Set<string>()
  return [...attributes.matchAll(ATTRIBUTE)].flatMap(([, name = '', double, single]) => {
    const value = double ?? single ?? ''
    if (names.size === names.add(name).size) return [`repeats ${name} on <${element}>`]
    if (!ATTRIBUTES.has(name)) return [`has ${name} on <${element}>; remove it`]
    const namespace = NAMESPACES[name]
    if (namespace !== undefined) return value === namespace ? [] : [`has an unknown ${name}`]
    // An escape could hide anything.
    const other = value.replace(LOCAL_REFERENCE, '')
    return /[&\\]|url|:|\/\*/i.test(other)
      ? [`refers to something outside the file in ${name} on <${element}>; remove it`]
      : []
  })
}
