/**
 * A brand is one color; this module derives all other colors from it, for light and dark, so that
 * text reaches 4.5:1 and non-text 3:1 for any brand color (§9 brand label colors).
 * The neutral roles are the same for every brand and live in the design system's `tokens.css`;
 * `NEUTRALS` repeats those that a brand color must be readable on, and a test keeps the two equal.
 */

import { contrast, hexToOklch, type Oklch, oklchToHex } from './color.ts'

/** The two color schemes of every theme. */
export type Scheme = 'light' | 'dark'

/** The custom properties that a brand sets; each becomes `--{role}`. */
export type BrandRole =
  | 'brand'
  | 'brand-hover'
  | 'on-brand'
  | 'brand-text'
  | 'brand-soft'
  | 'focus'
  | 'panel'
  | 'panel-shade'
  | 'on-panel'
  | 'on-panel-muted'

/** The color of each role in each scheme, as `#rrggbb`. */
export type BrandTheme = Readonly<Record<Scheme, Readonly<Record<BrandRole, string>>>>

/** Minimum contrast of text against its background. */
export const TEXT_CONTRAST = 4.5

/** Minimum contrast of icons, rings, marks and control borders against their background. */
export const NON_TEXT_CONTRAST = 3

/** Links on dark pages get more than the minimum contrast, at which they look disabled. */
const LINK_CONTRAST = { light: TEXT_CONTRAST, dark: 7 } as const

/** Colors below this chroma look gray. */
const HUELESS_CHROMA = 0.03

/** Gray buttons look disabled, so gray brands become almost black on light pages and almost white on dark ones. */
const HUELESS_LIGHTNESS = { light: 0.3, dark: 0.9 } as const

/** A brand with this much chroma and this close to the hue of `danger` (degrees) would make a focused field look invalid. */
const DANGER_LIKE = { chroma: 0.08, degrees: 30 } as const

/** The neutral surfaces, texts and the status color of `tokens.css` that appear next to brand colors. */
export const NEUTRALS = {
  light: {
    surface: { l: 0.988, c: 0.002, h: 95 },
    'surface-raised': { l: 1, c: 0, h: 0 },
    text: { l: 0.23, c: 0.012, h: 265 },
    'text-muted': { l: 0.46, c: 0.014, h: 265 },
    danger: { l: 0.5, c: 0.17, h: 27 },
  },
  dark: {
    surface: { l: 0.19, c: 0.008, h: 265 },
    'surface-raised': { l: 0.232, c: 0.01, h: 265 },
    text: { l: 0.945, c: 0.004, h: 265 },
    'text-muted': { l: 0.745, c: 0.01, h: 265 },
    danger: { l: 0.76, c: 0.125, h: 24 },
  },
} as const satisfies Record<Scheme, Record<string, Oklch>>

/** The same as `#rrggbb`. */
const NEUTRAL_COLORS = {
  light: toHexColors(NEUTRALS.light),
  dark: toHexColors(NEUTRALS.dark),
} as const

function toHexColors<Role extends string>(roles: Record<Role, Oklch>): Record<Role, string> {
  const entries = Object.entries<Oklch>(roles).map(([role, color]) => [role, oklchToHex(color)])
  // `Object.fromEntries` keeps the keys.
  return Object.fromEntries(entries) as Record<Role, string>
}

const WHITE = '#ffffff'
const NEAR_BLACK = '#14171c'
const BLACK = '#000000'

const between = (low: number, value: number, high: number) => Math.min(high, Math.max(low, value))

/** The step size of lightness changes, below the visible difference. */
const LIGHTNESS_STEP = 0.004

/**
 * Moves lightness away from the backgrounds by the smallest number of steps that reaches the ratio on each. It uses a
 * binary search, because a server derives thousands of themes at start-up.
 */
function readable(
  color: Oklch,
  backgrounds: readonly string[],
  ratio: number,
  scheme: Scheme,
): string {
  const [direction, room] = scheme === 'light' ? [-1, color.l] : [1, 1 - color.l]
  const moved = (steps: number) =>
    oklchToHex({ ...color, l: between(0, color.l + direction * steps * LIGHTNESS_STEP, 1) })
  const holds = (hex: string) =>
    backgrounds.every((background) => contrast(hex, background) >= ratio)
  let enough = Math.max(0, Math.ceil(room / LIGHTNESS_STEP))
  let tooFew = -1
  while (enough - tooFew > 1) {
    const middle = Math.floor((enough + tooFew) / 2)
    if (holds(moved(middle))) enough = middle
    else tooFew = middle
  }
  return moved(enough)
}

/** White if it is readable, otherwise near-black; pure black only if a mid tone requires it. */
function textColorOn(background: string): string {
  return [WHITE, NEAR_BLACK].find((color) => contrast(color, background) >= TEXT_CONTRAST) ?? BLACK
}

/** The color after the first lightness step, in order of preference, that satisfies `holds`; otherwise the color itself. */
function shifted(hex: string, steps: readonly number[], holds: (hex: string) => boolean): string {
  const color = hexToOklch(hex)
  return (
    steps.map((step) => oklchToHex({ ...color, l: between(0, color.l + step, 1) })).find(holds) ??
    hex
  )
}

/**
 * Light: dark enough for white text, so that buttons and links have the same color. Dark:
 * light enough to stand out from the page, with limited chroma.
 */
function fills(color: Oklch, backgrounds: readonly string[], scheme: Scheme) {
  const brand =
    scheme === 'light'
      ? readable(color, backgrounds, TEXT_CONTRAST, scheme)
      : readable({ ...color, c: Math.min(color.c, 0.16) }, backgrounds, NON_TEXT_CONTRAST, scheme)
  const onBrand = textColorOn(brand)
  const steps = onBrand === WHITE ? [-0.05, -0.025, 0.025, 0.018, 0.012] : [-0.05, 0.05, 0.025]
  const holds = (hex: string) =>
    contrast(onBrand, hex) >= TEXT_CONTRAST &&
    backgrounds.every((background) => contrast(hex, background) >= NON_TEXT_CONTRAST)
  return { brand, 'on-brand': onBrand, 'brand-hover': shifted(brand, steps, holds) }
}

function withReadableLightness(color: Oklch, scheme: Scheme): Oklch {
  if (color.c >= HUELESS_CHROMA) return color
  const furthest = scheme === 'light' ? Math.min : Math.max
  return { ...color, l: furthest(color.l, HUELESS_LIGHTNESS[scheme]) }
}

function looksLikeDanger({ c, h }: Oklch, scheme: Scheme): boolean {
  const apart = Math.abs(h - NEUTRALS[scheme].danger.h) % 360
  return c > DANGER_LIKE.chroma && Math.min(apart, 360 - apart) <= DANGER_LIKE.degrees
}

function panels(color: Oklch, scheme: Scheme) {
  // Only the panel may keep a pale brand color. Black is lightened and white darkened
  // slightly, so that the panel differs from the page and its shape from the panel.
  const panel = oklchToHex(
    scheme === 'light'
      ? { ...color, l: between(0.22, color.l, 0.94) }
      : { ...color, l: between(0.25, color.l, 0.33), c: Math.min(color.c * 0.85, 0.09) },
  )
  const onPanel = textColorOn(panel)
  const readableOn = (background: string) => (color: string) =>
    contrast(color, background) >= TEXT_CONTRAST
  const shade = shifted(panel, [-0.1, 0.1, 0.05], (hex) => readableOn(hex)(onPanel))
  const tone = hexToOklch(panel)
  const muted = { ...tone, c: Math.min(tone.c, 0.03), l: onPanel === WHITE ? 0.87 : 0.36 }
  const mutedHex = oklchToHex(muted)
  return {
    panel,
    'panel-shade': shade,
    'on-panel': onPanel,
    'on-panel-muted': [panel, shade].every((background) => readableOn(background)(mutedHex))
      ? mutedHex
      : onPanel,
  }
}

function schemeRoles(color: Oklch, scheme: Scheme): Readonly<Record<BrandRole, string>> {
  const soft = oklchToHex(
    scheme === 'light'
      ? { ...color, l: 0.962, c: Math.min(color.c, 0.016) }
      : { ...color, l: 0.275, c: Math.min(color.c, 0.035) },
  )
  const backgrounds = [
    NEUTRAL_COLORS[scheme].surface,
    NEUTRAL_COLORS[scheme]['surface-raised'],
    soft,
  ]
  const text = readable(
    withReadableLightness(color, scheme),
    backgrounds,
    LINK_CONTRAST[scheme],
    scheme,
  )
  return {
    ...fills(withReadableLightness(color, scheme), backgrounds, scheme),
    'brand-text': text,
    'brand-soft': soft,
    focus: looksLikeDanger(color, scheme) ? NEUTRAL_COLORS[scheme].text : text,
    ...panels(color, scheme),
  }
}

/**
 * Derives both schemes of a brand from one color, or from two if the lender has a separate color for dark pages.
 * @example brandTheme('#007B63').dark['brand-text']
 */
export function brandTheme(brandColor: string, darkBrandColor = brandColor): BrandTheme {
  return {
    light: schemeRoles(hexToOklch(brandColor), 'light'),
    dark: schemeRoles(hexToOklch(darkBrandColor), 'dark'),
  }
}

const declarations = (roles: Readonly<Record<BrandRole, string>>) =>
  Object.entries(roles)
    .map(([role, value]) => `--${role}:${value}`)
    .join(';')

/**
 * The theme as a style sheet. It declares the layer order itself, so it overrides `tokens.css` and is overridden by an
 * organization's own sheet regardless of load order. It switches schemes with the same three selectors as `tokens.css`.
 */
export function themeCss(theme: BrandTheme): string {
  const light = declarations(theme.light)
  const dark = declarations(theme.dark)
  return [
    '@layer reset,tokens,parts,app,brand,organization;',
    `@layer brand{:root{${light}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-scheme=light]){${dark}}}`,
    `:root[data-scheme=dark]{${dark}}}`,
  ].join('')
}

/** A brand role or a neutral role. */
type Role = BrandRole | keyof (typeof NEUTRAL_COLORS)[Scheme]

/** Text and its background, where either is a brand color. */
const TEXTS: readonly (readonly [Role, Role])[] = [
  ['on-brand', 'brand'],
  ['on-brand', 'brand-hover'],
  ['on-panel', 'panel'],
  ['on-panel', 'panel-shade'],
  ['on-panel-muted', 'panel'],
  ['on-panel-muted', 'panel-shade'],
  ['text', 'brand-soft'],
  ['text-muted', 'brand-soft'],
  ['brand-text', 'surface'],
  ['brand-text', 'surface-raised'],
  ['brand-text', 'brand-soft'],
]

/** Buttons, focus rings and marks in brand colors, with their background. */
const MARKS: readonly (readonly [Role, Role])[] = (['brand', 'brand-hover', 'focus'] as const)
  .map((mark) =>
    (['surface', 'surface-raised', 'brand-soft'] as const).map(
      (background) => [mark, background] as const,
    ),
  )
  .flat()

/**
 * All violations of WCAG 2.2 AA contrast in a theme: text below 4.5:1, marks below 3:1. `brandTheme` never produces
 * any; the server still checks every brand before it is shown.
 */
export function contrastErrors(theme: BrandTheme): readonly string[] {
  return (['light', 'dark'] as const).flatMap((scheme) => {
    const roles: Readonly<Record<Role, string>> = { ...NEUTRAL_COLORS[scheme], ...theme[scheme] }
    const violations = (pairs: typeof TEXTS, minimum: number) =>
      pairs
        .map(([front, back]) => ({
          front,
          back,
          ratio: contrast(roles[front], roles[back]),
        }))
        .filter(({ ratio }) => ratio < minimum)
        .map(
          ({ front, back, ratio }) =>
            `${scheme}: ${front} ${roles[front]} on ${back} ${roles[back]} has ${ratio.toFixed(2)}:1 and needs ${minimum}:1`,
        )
    return [...violations(TEXTS, TEXT_CONTRAST), ...violations(MARKS, NON_TEXT_CONTRAST)]
  })
}
