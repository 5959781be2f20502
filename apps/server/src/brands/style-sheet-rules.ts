/**
 * What an organization's own style sheet may contain, as lists of what is allowed. A style sheet can change fonts, spacing,
 * borders and the use of theme colors. It cannot move, hide, cover or add content, load anything, or read what a user types.
 */

/** Text colors by the backgrounds on which they are readable. The theme ensures the contrast of each pair. */
export const TEXT_COLORS_BY_BACKGROUND: Readonly<Record<string, readonly string[]>> = {
  surface: ['text', 'text-muted', 'brand-text'],
  'surface-raised': ['text', 'text-muted', 'brand-text'],
  'surface-sunken': ['text', 'text-muted'],
  'brand-soft': ['text', 'text-muted', 'brand-text'],
  brand: ['on-brand'],
  panel: ['on-panel', 'on-panel-muted'],
}

/** Every role that a sheet may use as `var(--…)`, and its keyword in the syntaxes below. */
export const ROLES: Readonly<Record<string, 'text-color' | 'background' | 'length' | 'shadow'>> = {
  ...Object.fromEntries(
    Object.keys(TEXT_COLORS_BY_BACKGROUND).map((role) => [role, 'background' as const]),
  ),
  ...Object.fromEntries(
    Object.values(TEXT_COLORS_BY_BACKGROUND)
      .flat()
      .map((role) => [role, 'text-color' as const]),
  ),
  line: 'text-color',
  'line-soft': 'background',
  ...Object.fromEntries(
    [4, 8, 12, 16, 20, 24, 32, 40, 64].map((px) => [`space-${px}`, 'length' as const]),
  ),
  radius: 'length',
  'radius-large': 'length',
  shadow: 'shadow',
  'shadow-low': 'shadow',
}

const LENGTH = '[ <length [0,∞]> | length ]'
const COLOR = '[ text-color | background | transparent ]'
const LINE_STYLE = '[ none | solid | dashed | dotted | double ]'
const BORDER = `${LENGTH} || ${LINE_STYLE} || ${COLOR}`
const SIDES = [
  'block',
  'inline',
  'block-start',
  'block-end',
  'inline-start',
  'inline-end',
  'top',
].concat(['right', 'bottom', 'left'])
const CORNERS = ['start-start', 'start-end', 'end-start', 'end-end']

const onSides = (property: string, syntax: string) =>
  Object.fromEntries(SIDES.map((side) => [`${property}-${side}`, syntax]))

/**
 * The properties that a sheet may set, with their values in CSS value definition syntax. Functions are rejected beforehand,
 * so lengths are plain. `text-color`, `background`, `length` and `shadow` stand for a role of that kind.
 */
export const PROPERTIES: Readonly<Record<string, string>> = {
  color: 'text-color',
  'background-color': 'background | transparent',
  'border-color': `${COLOR}{1,4}`,
  'border-style': `${LINE_STYLE}{1,4}`,
  'border-width': `${LENGTH}{1,4}`,
  border: BORDER,
  ...onSides('border', BORDER),
  'border-radius': `${LENGTH}{1,4}`,
  ...Object.fromEntries(CORNERS.map((corner) => [`border-${corner}-radius`, LENGTH])),
  'box-shadow': 'none | shadow',
  'font-family': '[ <string> | <custom-ident>+ ]#',
  'font-size': '<length [0,∞]>',
  'font-style': 'normal | italic',
  'font-variant-caps': 'normal | small-caps | all-small-caps',
  'font-variant-numeric': 'normal | tabular-nums | oldstyle-nums | lining-nums',
  'font-weight': 'normal | bold | <number [100,900]>',
  'letter-spacing': 'normal | <length>',
  'line-height': 'normal | <number [1,3]>',
  'text-align': 'start | center | end',
  'text-decoration-style': 'solid | dotted | dashed | double | wavy',
  'text-decoration-thickness': 'auto | from-font | <length [0,∞]>',
  'text-transform': 'none | uppercase | capitalize | lowercase',
  'text-underline-offset': 'auto | <length [0,∞]>',
  margin: `${LENGTH}{1,4}`,
  ...onSides('margin', LENGTH),
  padding: `${LENGTH}{1,4}`,
  ...onSides('padding', LENGTH),
  gap: `${LENGTH}{1,2}`,
  'row-gap': LENGTH,
  'column-gap': LENGTH,
  '--radius': '<length [0,∞]>',
  '--radius-large': '<length [0,∞]>',
}

/** The maximum lengths, in em, rem and pixels. */
export const LENGTH_UNITS: Readonly<Record<string, number>> = { rem: 8, em: 8, px: 128 }

/** The range of font sizes, in a unit that follows the user's browser setting. */
export const FONT_SIZE_REM = { least: 0.8125, most: 3 } as const

/** Elements that selectors may use. */
export const ELEMENTS: ReadonlySet<string> = new Set(
  'a button em fieldset footer h1 h2 h3 header img input label legend li main ol p section small span strong svg ul'.split(
    ' ',
  ),
)

/** Attributes that selectors may use: those that describe our components, never user input. */
export const ATTRIBUTES: ReadonlySet<string> = new Set(['data-part', 'data-kind', 'data-tone'])

/** Pseudo-classes that selectors may use: pointer, focus and list position, none that reveals a field's content. */
export const PSEUDO_CLASSES: ReadonlySet<string> = new Set(
  'root hover active focus focus-visible first-child last-child is where not'.split(' '),
)

/** Media features that queries may use. */
export const MEDIA_FEATURES: ReadonlySet<string> = new Set([
  'width',
  'min-width',
  'max-width',
  'hover',
  'prefers-reduced-motion',
])
