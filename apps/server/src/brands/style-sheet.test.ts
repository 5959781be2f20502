import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseStyleSheet } from './style-sheet.ts'

const FILE = 'styles/lender.css'

function cssOf(text: string): string {
  const read = parseStyleSheet(text, FILE)
  if ('errors' in read) throw new Error(read.errors.join('\n'))
  return read.css
}

function errorsOf(text: string): readonly string[] {
  const read = parseStyleSheet(text, FILE)
  return 'errors' in read ? read.errors : []
}

test('9 a sheet changes fonts, spacing, borders and theme colors inside its own layer', () => {
  expect(
    cssOf(`
      /* Square, with a serif. */
      :root { --radius: 0; --radius-large: 4px }
      main h1:not(:hover), [data-part="panel"] > a { font-family: "Old Style", Georgia, serif; color: var(--brand-text) }
      @media (min-width: 40rem) {
        [data-kind="primary"] { background-color: var(--brand); color: var(--on-brand); border: 1px solid var(--line) }
        p { margin: 0 var(--space-16) 1.5rem; letter-spacing: -0.01em; box-shadow: var(--shadow) }
      }`),
  ).toBe(
    '@layer organization{:root{--radius:0;--radius-large:4px}' +
      'main h1:not(:hover),[data-part="panel"]>a{font-family:"Old Style",Georgia,serif;color:var(--brand-text)}' +
      '@media (min-width:40rem){[data-kind="primary"]{background-color:var(--brand);color:var(--on-brand);border:1px solid var(--line)}' +
      'p{margin:0 var(--space-16) 1.5rem;letter-spacing:-0.01em;box-shadow:var(--shadow)}}}',
  )
})

test('9 an error names the file and line and says how to fix it', () => {
  expect(errorsOf('h1 { color: var(--text) }\n\np { position: fixed }')).toEqual([
    'styles/lender.css:3: position is not an allowed property: a sheet changes fonts, spacing, borders and theme colors, not layout or content. Remove it',
  ])
  expect(errorsOf('h1 {\n  color: red;\n}')).toEqual([
    expect.stringMatching(/^styles\/lender\.css:2: color: red is not an allowed value\. Use roles/),
  ])
  expect(errorsOf('main { background-color: var(--brand) }')).toEqual([
    'styles/lender.css:1: background-color: var(--brand) needs color in the same rule: var(--on-brand)',
  ])
})

describe('9 refused', () => {
  const REFUSED: Readonly<Record<string, readonly string[]>> = {
    'remote requests': [
      '@import "https://evil.example/x.css";',
      '@import url(//evil.example/x.css);',
      '@font-face { font-family: x; src: url(https://evil.example/x.woff2) }',
      'h1 { background: url(https://evil.example/x) }',
      'h1 { background-image: image-set("https://evil.example/x" 1x) }',
      'h1 { background-color: url(x) }',
      'h1 { color: var(--text, url(https://evil.example/x)) }',
      'h1 { --radius: url(https://evil.example/x) }',
      'h1 { font-family: src(x) }',
      'h1 { cursor: url(x), auto }',
      'h1 { list-style: url(x) }',
      'h1 { filter: url(https://evil.example/x#y) }',
      'h1 { border-image-source: url(x) }',
      'h1 { mask: url(x) }',
      'h1 { shape-outside: url(x) }',
      'h1 { color: \\75rl(https://evil.example/x) }',
      'h1 { \\62 ackground: \\75 rl(x) }',
      '@namespace svg url(http://evil.example/);',
      '@charset "utf-8";',
    ],
    'reading user input': [
      'input[value^="a"] { color: var(--text) }',
      'input[value] { color: var(--text) }',
      'input[v\\61 lue^="a"] { color: var(--text) }',
      'input[type="password"] { color: var(--text) }',
      '[data-part^="f"] { color: var(--text) }',
      'main:has(input:checked) { color: var(--text) }',
      'input:valid { color: var(--text) }',
      'input:placeholder-shown { color: var(--text) }',
      'input:in-range { color: var(--text) }',
      'a:visited { color: var(--text) }',
      ':not(input:checked) { color: var(--text) }',
      'p:lang(en) { color: var(--text) }',
    ],
    'covering, hiding, moving and adding content': [
      'main { position: fixed }',
      'main { position: absolute; inset: 0 }',
      'main { z-index: 9 }',
      'main { display: none }',
      'main { visibility: hidden }',
      'main { opacity: 0 }',
      'main { transform: scale(9) }',
      'main { translate: 100px }',
      'main { float: left }',
      'main { margin: -20px }',
      'main { margin: calc(0px - 20px) }',
      'main { margin: min(0px, -20px) }',
      'main { padding: 9999px }',
      'main { font-size: 0 }',
      'main { font-size: 1px }',
      'main { font-size: 0.1rem }',
      'main { letter-spacing: 999px }',
      'h1::before { content: "Send us your password" }',
      'h1 { content: "x" }',
      'h1::first-line { color: var(--text) }',
      'a:hover { pointer-events: none }',
      'h1 { animation: x 1s }',
      'h1 { outline: none }',
      '@keyframes x { to { opacity: 0 } }',
      '@property --x { syntax: "*"; inherits: true }',
      'h1 { text-security: none }',
    ],
    'leaving its layer': [
      '@layer reset { h1 { color: var(--text) } }',
      '@layer reset, brand;',
      '@scope (main) { h1 { color: var(--text) } }',
      '@supports (color: red) { h1 { color: var(--text) } }',
      '@container (width > 1px) { h1 { color: var(--text) } }',
      'h1 { color: var(--text) !important }',
      'h1 { color: var(--text) } } body { display: none }',
      '} h1 { color: var(--text) }',
      'h1 { & a { color: var(--text) } }',
      'h1 { a { color: var(--text) } }',
      '<!-- h1 { color: var(--text) } -->',
      '</style><script>alert(1)</script>',
    ],
    'colors other than roles, and changed roles': [
      'h1 { color: red }',
      'h1 { color: #fff }',
      'h1 { color: rgb(0 0 0) }',
      'h1 { color: var(--nothing) }',
      'h1 { color: var(--surface) }',
      ':root { --brand: #fff }',
      ':root { --text: #fff }',
      'main { background-color: var(--panel); color: var(--text) }',
      'main { background-color: var(--panel); color: var(--on-panel); color: inherit }',
    ],
    'names that change with every build': ['.panel { color: var(--text) }', '#root { gap: 1px }'],
  }
  for (const [what, sheets] of Object.entries(REFUSED)) {
    test.each(sheets)(`9 ${what}: %s`, (text) => {
      expect(errorsOf(text)).not.toEqual([])
    })
  }
})

test('9 no generated sheet that is accepted makes a request or leaves its layer', () => {
  const piece = fc.constantFrom(
    'h1',
    '{',
    '}',
    'color:',
    'var(--text)',
    ';',
    'url(x)',
    '@import',
    '"x"',
    '/*',
    '/*!',
    '*/',
    '\\',
    'input',
    '[value^=a]',
    ':hover',
    '::before',
    'content:',
    '<!--',
    '-->',
    '@media',
    '(min-width:1px)',
    'position:fixed',
    '--radius:',
    '1px',
    '!important',
    ',',
    ' ',
    '\n',
    'a',
  )
  let accepted = 0
  fc.assert(
    fc.property(
      fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 24 }),
      (pieces) => {
        const read = parseStyleSheet(pieces.join(''), FILE)
        if ('errors' in read) return
        accepted += 1
        expect(read.css).toMatch(/^@layer organization\{.*\}$/s)
        expect(read.css).not.toMatch(/url|@import|content|position|value|\\|<|!important/i)
        // The layer's brace is the last one, so nothing follows the layer.
        let depth = 0
        const depths = read.css.split('').map((character) => {
          if (character === '{') depth += 1
          if (character === '}') depth -= 1
          return depth
        })
        expect(depths.slice('@layer organization{'.length - 1, -1)).not.toContain(0)
        expect(depth).toBe(0)
      },
    ),
    { numRuns: 3000 },
  )
  expect(accepted).toBeGreaterThan(0)
})

test('9 unclosed blocks are served closed', () => {
  expect(cssOf('h1 { color: var(--text)')).toBe('@layer organization{h1{color:var(--text)}}')
})

test('9 an extra closing bracket is reported, whichever sheet was read before', () => {
  for (const before of ['{', '(', '[', 'a(']) {
    errorsOf(before.repeat(30))
    expect(errorsOf('h1 {}\nx|}6*/')).toEqual([
      'styles/lender.css:2: } has no opening bracket. Remove it',
    ])
    expect(errorsOf('(x)]|Of[tG')).toEqual([
      'styles/lender.css:1: ] has no opening bracket. Remove it',
    ])
  }
})

test('9 too deep nesting is reported and never reaches the parser', () => {
  const deep = (bracket: string) => errorsOf(`h1 {}\n${bracket.repeat(33)}`)
  for (const bracket of ['(', '[', '{', ':not(', 'a{', '@media (']) {
    expect(deep(bracket)).toEqual([
      'styles/lender.css:2: more than 32 nested brackets. Simplify it',
    ])
  }
})
