import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSvg } from './svg.ts'

const svgErrors = (text: string) => readSvg(text).errors

const LOGOS = fileURLToPath(new URL('../../../../config/logos', import.meta.url))
const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"${attributes}>${inside}</svg>`

test.each(readdirSync(LOGOS).filter((name) => name.endsWith('.svg')))(
  '9 the logo %s is a plain drawing',
  (name) => {
    expect(svgErrors(readFileSync(join(LOGOS, name), 'utf8'))).toEqual([])
  },
)

test.each([
  `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n${svg('<path d="M0 0"/>')}\n`,
  svg('<title>A &amp; B: "x"</title><text x="1" y="2" font-family="Georgia, serif">A</text>'),
  `<?xml version='1.0' encoding='utf-8' standalone='no'?>${svg('<text>&#169; &#xA0; A &lt; B ]]&gt;</text>')}`,
  svg(
    `<defs><linearGradient id='g'><stop offset="0" stop-color="#fff"/></linearGradient></defs><path fill="url(#g)" d="M0 0"/>`,
  ),
])('9 %s is a plain drawing', (drawing) => {
  expect(svgErrors(drawing)).toEqual([])
})

test.each([
  svg('<script>alert(1)</script>'),
  svg('<SCRIPT>alert(1)</SCRIPT>'),
  svg('<svg:script xmlns:svg="http://www.w3.org/2000/svg">alert(1)</svg:script>'),
  svg('', ' onload="alert(1)"'),
  svg('<path d="M0 0" onclick="alert(1)"/>'),
  svg('<path/onclick="alert(1)"/>'),
  svg('<foreignObject><iframe src="//evil.example"/></foreignObject>'),
  svg('<image href="https://evil.example/x.png"/>'),
  svg('<a href="javascript:alert(1)"><path d="M0 0"/></a>'),
  svg('<use href="#a"/>'),
  svg('<animate attributeName="href" to="javascript:alert(1)"/>'),
  svg('<set attributeName="onload" to="alert(1)"/>'),
  svg('<style>@import "https://evil.example/x.css"</style>'),
  svg('<path style="fill:url(https://evil.example/x)"/>'),
  svg('<path fill="url(https://evil.example/x#y)"/>'),
  svg('<path fill="URL ( //evil.example )"/>'),
  svg('<path fill="u&#114;l(//evil.example)"/>'),
  svg('<path fill="u\\72l(//evil.example)"/>'),
  svg('<path xlink:href="data:text/html,x"/>'),
  svg('<path xml:base="https://evil.example/"/>'),
  svg('<handler type="text/javascript">alert(1)</handler>'),
  svg('<![CDATA[<script>alert(1)</script>]]>'),
  `<!DOCTYPE svg [<!ENTITY x "<script>alert(1)</script>">]>${svg('&x;')}`,
  `<?xml version="1.0"?><?xml-stylesheet href="https://evil.example/x.xsl"?>${svg('')}`,
  svg('', ' xmlns:h="http://www.w3.org/1999/xhtml"'),
  '<svg xmlns="http://www.w3.org/1999/xhtml"><path d="M0 0"/></svg>',
  '<svg viewBox="0 0 9 9"></svg>',
  '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>',
  svg('<g><path d="M0 0"/>'),
  `${svg('')}${svg('')}`,
  `${svg('')}text`,
  svg('<path d="M0 0" d=M0/>'),
  // Not well-formed: a browser shows a broken picture.
  svg('<title>Smith & Sons</title><path d="M0 0"/>'),
  svg('<title>A&nbsp;B</title><path d="M0 0"/>'),
  svg('<title>A &#0; B &#x110000; C</title><path d="M0 0"/>'),
  svg('<title>A ]]> B</title><path d="M0 0"/>'),
  svg('<title>A \u0001 B</title><path d="M0 0"/>'),
  svg('<!-- one -- two --><path d="M0 0"/>'),
  svg('<path d="M0 0" fill="#fff" fill="#000"/>'),
  ` <?xml version="1.0"?>${svg('<path d="M0 0"/>')}`,
  `<?xml version="1.0" encoding="utf-16"?>${svg('<path d="M0 0"/>')}`,
  // Nothing visible.
  svg('<title>Lender</title>'),
  '',
  '{}',
])('9 %s is refused', (drawing) => {
  expect(svgErrors(drawing)).not.toEqual([])
})

test('9 reading an invalid file always terminates', () => {
  for (const begin of [
    '<!--',
    '<svg ',
    '<svg a="',
    '<path d="M0 0" '.repeat(100),
    '<'.repeat(99),
  ]) {
    expect(svgErrors(begin + ' a="b"'.repeat(9000))).not.toEqual([])
  }
})

test('9 at most twenty errors are listed', () => {
  const many = Array.from({ length: 5000 }, (_, at) => `<a${at}/>`).join('')
  expect(svgErrors(svg(many))).toHaveLength(20)
})

test('9 no generated file that is accepted contains an event handler, script or URL', () => {
  const piece = fc.constantFrom(
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '</svg>',
    '<g',
    ' onload=',
    '"x"',
    ' fill="',
    '"',

    'url(',
    'https://evil.example',
    ')',
    '>',
    '/>',
    '<script>',
    '</g>',
    '<!--',
    '-->',
    ' ',
    '&',
    "'",
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const drawing = pieces.join('')
      if (svgErrors(drawing).length > 0) return
      const seen = drawing.replaceAll(/<!--[^]*?-->/g, '').replaceAll(/>[^<]*/g, '>')
      expect(seen).not.toMatch(/onload|<script|https:\/\/evil/)
    }),
    { numRuns: 2000 },
  )
})
