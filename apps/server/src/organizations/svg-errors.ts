/**
 * Whether an SVG file is a plain drawing. It is read by a list of what may be in one, element by element and attribute by
 * attribute: whatever a browser might run, load or repeat without end is not on the list. What is no well-formed XML is
 * refused as well, because a browser shows a broken picture in its place.
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

/** Of these at least one is seen. */
const SHAPES = new Set('path rect circle ellipse line polyline polygon text'.split(' '))

const DECLARATION =
  /^\uFEFF?(?:<\?xml\s+version=["']1\.[01]["'](?:\s+encoding=["']utf-8["'])?(?:\s+standalone=["'](?:yes|no)["'])?\s*\?>)?\s*/i
const ATTRIBUTE = /\s+([\w:-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g
const TOKEN =
  /<!--(?:(?!--)[^])*-->|<\/(?<end>[\w:-]+)\s*>|<(?<name>[\w:-]+)(?<attributes>(?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/?)>|(?<text>[^<]+)/y

/** A reference within the same file, as gradients and clips need it. */
const OWN_PART = /url\(#[\w-]+\)/g

/** Characters that XML has no place for. */
const NO_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u
const ENTITY = /&(?:amp|lt|gt|quot|apos|#(?<decimal>\d{1,7})|#x(?<hex>[\da-fA-F]{1,6}));/g

const FAULTS_NAMED = 20

/** What keeps a file from being a plain drawing, with what to do about it; nothing where it is one. */
export function svgErrors(file: string): string[] {
  const svg = file.replace(DECLARATION, '')
  const faults = new Set<string>()
  const open: string[] = []
  let roots = 0
  let isSeen = false
  if (NO_XML.test(svg)) faults.add('holds control characters; export it as plain SVG')
  let at = 0
  while (at < svg.length) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(svg)
    if (!token) {
      faults.add(
        `cannot be read at ${JSON.stringify(svg.slice(at, at + 30))}; export it as plain SVG`,
      )
      break
    }
    at = TOKEN.lastIndex
    const { end, name, attributes = '', empty, text } = token.groups ?? {}
    if (end !== undefined && open.pop() !== end) faults.add(`closes <${end}>, which is not open`)
    if (text !== undefined) {
      if (open.length === 0 && text.trim() !== '') faults.add('has text outside its <svg> element')
      if (!isXmlText(text)) faults.add('has & or ]]> in a text; write &amp; and ]]&gt;')
    }
    if (name === undefined) continue
    if (open.length === 0) roots += 1
    if (open.length === 0 && name !== 'svg') faults.add('does not begin with an <svg> element')
    if (open.length === 0 && !/\sxmlns=/.test(attributes)) {
      faults.add('lacks xmlns="http://www.w3.org/2000/svg"')
    }
    if (empty === '') open.push(name)
    if (SHAPES.has(name)) isSeen = true
    if (!ELEMENTS.has(name)) faults.add(`holds <${name}>, which a plain drawing does without`)
    for (const fault of attributeErrors(name, attributes)) faults.add(fault)
  }
  if (open.length > 0) faults.add(`does not close <${open.at(-1)}>`)
  if (roots !== 1) faults.add('must be one <svg> element')
  if (!isSeen) faults.add('draws nothing')
  return [...faults].slice(0, FAULTS_NAMED)
}

function isXmlText(text: string): boolean {
  const plain = text.replace(ENTITY, (_entity, decimal?: string, hex?: string) => {
    const code = decimal === undefined ? parseInt(hex ?? '20', 16) : Number(decimal)
    return code > 0x10_ff_ff || NO_XML.test(String.fromCodePoint(code)) ? '&' : ' '
  })
  return !/&|]]>/.test(plain)
}

function attributeErrors(element: string, attributes: string): string[] {
  const given = new Set<string>()
  return [...attributes.matchAll(ATTRIBUTE)].flatMap(([, name = '', double, single]) => {
    const value = double ?? single ?? ''
    if (given.size === given.add(name).size) return [`has ${name} on <${element}> twice`]
    if (!ATTRIBUTES.has(name)) return [`has ${name} on <${element}>; leave it out`]
    const namespace = NAMESPACES[name]
    if (namespace !== undefined) return value === namespace ? [] : [`has another ${name}`]
    // An escape could spell anything.
    const other = value.replace(OWN_PART, '')
    return /[&\\]|url|:|\/\*/i.test(other)
      ? [`refers in ${name} on <${element}> to something outside itself; leave it out`]
      : []
  })
}
