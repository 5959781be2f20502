import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contrast, hexToOklch, oklchToHex } from './color.ts'
import {
  brandTheme,
  contrastErrors,
  NEUTRALS,
  NON_TEXT_CONTRAST,
  type Scheme,
  TEXT_CONTRAST,
  themeCss,
} from './theme.ts'

const SCHEMES: readonly Scheme[] = ['light', 'dark']
const LABEL_COLORS = ['#007B63', '#1f385b', '#005288', '#1E3464']
const EXTREMES = ['#ffffff', '#000000', '#ffff00', '#ff0000', '#767676', '#00ff00', '#0000ff']

const CHANNEL = fc.integer({ min: 0, max: 255 })
const COLOR = fc
  .tuple(CHANNEL, CHANNEL, CHANNEL)
  .map((channels) => `#${channels.map((x) => x.toString(16).padStart(2, '0')).join('')}`)

function expectReadable(brandColor: string, darkBrandColor?: string) {
  expect(contrastErrors(brandTheme(brandColor, darkBrandColor)), brandColor).toEqual([])
}

describe('9 brand label colors', () => {
  test.each(LABEL_COLORS)('9 label color %s is unchanged in the light scheme', (color) => {
    const { light } = brandTheme(color)
    expect(light.brand).toBe(color.toLowerCase())
    expect(light.panel).toBe(color.toLowerCase())
    expect(light['on-brand']).toBe('#ffffff')
  })

  test.each(['#ffffff', '#efece6', '#767676', '#1a1a1a', '#000000'])(
    '9 brand %s has no hue: its buttons are almost black or white, never a gray that looks disabled',
    (color) => {
      const { light, dark } = brandTheme(color)
      expect(hexToOklch(light.brand).l).toBeLessThanOrEqual(0.31)
      expect(hexToOklch(dark.brand).l).toBeGreaterThanOrEqual(0.89)
    },
  )

  test.each([...LABEL_COLORS, ...EXTREMES])(
    '9 brand %s: text 4.5:1 and non-text 3:1 in both schemes',
    expectReadable,
  )

  test.each(EXTREMES)('9 brand %s: text on a light-scheme button is white', (color) => {
    expect(brandTheme(color).light['on-brand']).toBe('#ffffff')
  })

  test('9 any brand color, and any gray: text 4.5:1 and non-text 3:1 in both schemes', () => {
    fc.assert(
      fc.property(COLOR, (color) => expectReadable(color)),
      { numRuns: 400 },
    )
    for (let gray = 0; gray < 256; gray += 1) {
      expectReadable(`#${gray.toString(16).padStart(2, '0').repeat(3)}`)
    }
  })

  test('9 a brand with a separate dark color is as readable, and light uses the first', () => {
    fc.assert(
      fc.property(COLOR, COLOR, (light, dark) => {
        expectReadable(light, dark)
        const both = brandTheme(light, dark)
        expect(both.light).toEqual(brandTheme(light).light)
        expect(both.dark).toEqual(brandTheme(dark).dark)
      }),
    )
  })

  test('9 a contrast error contains scheme, roles, colors and the required ratio', () => {
    const theme = brandTheme('#007B63')
    const pale = { ...theme, light: { ...theme.light, 'on-brand': '#007c64' } }
    expect(contrastErrors(pale)).toEqual([
      'light: on-brand #007c64 on brand #007b63 has 1.01:1 and needs 4.5:1',
      expect.stringContaining('light: on-brand #007c64 on brand-hover'),
    ])
    const lost = { ...theme, dark: { ...theme.dark, focus: '#15171a' } }
    expect(contrastErrors(lost)).toContainEqual(
      expect.stringMatching(/^dark: focus #15171a on surface #\w{6} has 1\.\d\d:1 and needs 3:1$/),
    )
  })

  test('9 a brand color that is not #rrggbb is refused', () => {
    expect(() => brandTheme('teal')).toThrow("'teal' is not a color of the form #rrggbb")
    expect(() => brandTheme('#fff;}')).toThrow(TypeError)
  })
})

describe('color arithmetic', () => {
  test('contrast of black and white is 21, of a color with itself 1', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrast('#1f385b', '#1f385b')).toBe(1)
  })

  test('sRGB red has the OKLCH coordinates of CSS Color 4', () => {
    const { l, c, h } = hexToOklch('#ff0000')
    expect([l, c, h].map((x) => Number(x.toFixed(3)))).toEqual([0.628, 0.258, 29.234])
  })

  test('hex to OKLCH and back gives the same hex', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
        const hex = `#${value.toString(16).padStart(6, '0')}`
        expect(oklchToHex(hexToOklch(hex))).toBe(hex)
      }),
    )
  })
})

const tokens = readFileSync(new URL('../../ui/src/tokens.css', import.meta.url), 'utf8').replaceAll(
  /\/\*[^]*?\*\//g,
  '',
)

/** The declarations of the first block after a selector: names without `--`, mapped to values. */
function block(selector: string): Map<string, string> {
  const start = tokens.indexOf(`${selector} {`)
  expect(start, `tokens.css has a block '${selector}'`).toBeGreaterThanOrEqual(0)
  const body = tokens.slice(tokens.indexOf('{', start) + 1, tokens.indexOf('}', start))
  return new Map(
    [...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map((m) => [String(m[1]), String(m[2])]),
  )
}

const LIGHT = ':root'
const DARK_BY_PREFERENCE = ':root:not([data-scheme="light"])'
const DARK_BY_CHOICE = ':root[data-scheme="dark"]'

function token(scheme: Scheme, role: string): string {
  const value = block(scheme === 'light' ? LIGHT : DARK_BY_CHOICE).get(role)
  const [l, c, h] = (/^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(value ?? '') ?? [])
    .slice(1)
    .map(Number)
  if (l === undefined || c === undefined || h === undefined) {
    expect(value, `${scheme} --${role}`).toMatch(/^#[0-9a-f]{6}$/)
    return String(value)
  }
  return oklchToHex({ l, c, h })
}

describe('neutral roles of tokens.css', () => {
  test.each(SCHEMES)('text and line roles keep their contrast, %s', (scheme) => {
    const on = (front: string, back: string) => contrast(token(scheme, front), token(scheme, back))
    const backgrounds = ['surface', 'surface-raised', 'surface-sunken']
    for (const background of backgrounds) {
      for (const text of ['text', 'text-muted', 'danger', 'warn', 'ok', 'brand-text']) {
        expect(on(text, background), `${text} on ${background}`).toBeGreaterThanOrEqual(
          TEXT_CONTRAST,
        )
      }
      expect(on('line', background), `line on ${background}`).toBeGreaterThanOrEqual(
        NON_TEXT_CONTRAST,
      )
      expect(on('focus', background), `focus on ${background}`).toBeGreaterThanOrEqual(
        NON_TEXT_CONTRAST,
      )
    }
    for (const fill of ['danger', 'danger-hover']) {
      expect(on('on-danger', fill), `on-danger on ${fill}`).toBeGreaterThanOrEqual(TEXT_CONTRAST)
    }
    for (const tone of ['danger', 'warn', 'ok']) {
      for (const text of [tone, 'text']) {
        expect(on(text, `${tone}-soft`), `${text} on ${tone}-soft`).toBeGreaterThanOrEqual(
          TEXT_CONTRAST,
        )
      }
    }
  })

  test('dark is the same by preference and by choice', () => {
    expect(block(DARK_BY_PREFERENCE)).toEqual(block(DARK_BY_CHOICE))
  })

  test.each(SCHEMES)('themes are derived against the same neutrals, %s', (scheme) => {
    for (const [role, color] of Object.entries(NEUTRALS[scheme])) {
      expect(token(scheme, role), role).toBe(oklchToHex(color))
    }
  })

  test.each(SCHEMES)('the unbranded roles are the theme of #3a4556, %s', (scheme) => {
    for (const [role, value] of Object.entries(brandTheme('#3a4556')[scheme])) {
      expect(token(scheme, role), role).toBe(value)
    }
  })
})

describe('focus', () => {
  test.each(['#b7410e', '#c00000', '#a3203c', '#d9534f'])(
    'of a brand within 30 degrees of danger is the color of text, so it never looks like an error: %s',
    (brand) => {
      for (const scheme of SCHEMES) {
        expect(brandTheme(brand)[scheme].focus).toBe(oklchToHex(NEUTRALS[scheme].text))
      }
    },
  )

  test.each(['#2f4de0', '#007B63', '#6b5a55', '#8a6d00', '#7a1fa2'])(
    'of any other brand, and of a red with hardly any chroma, is the brand: %s',
    (brand) => {
      for (const scheme of SCHEMES) {
        const theme = brandTheme(brand)[scheme]
        expect(theme.focus).toBe(theme['brand-text'])
      }
    },
  )
})

describe('theme stylesheet', () => {
  const css = themeCss(brandTheme('#007B63'))

  test('switches schemes by the selectors of tokens.css, in its own layer', () => {
    for (const selector of [LIGHT, DARK_BY_PREFERENCE, DARK_BY_CHOICE]) {
      expect(css).toContain(`${selector.replaceAll('"', '')}{--brand:`)
    }
    expect(css).toMatch(/^@layer reset,tokens,parts,app,brand,organization;@layer brand\{/)
    expect(tokens).toContain('@layer reset, tokens, parts, app, brand, organization;')
  })

  test('has balanced braces and only custom properties of hex colors', () => {
    expect(css.split('{').length).toBe(css.split('}').length)
    for (const [, value] of css.matchAll(/--[\w-]+:([^;}]+)/g)) {
      expect(value).toMatch(/^#[0-9a-f]{6}$/)
    }
  })
})
