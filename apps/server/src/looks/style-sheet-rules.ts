/**
 * What an organization's own style sheet may say. Everything is a list of what is allowed: a sheet changes type, space,
 * lines and which of the theme's colors stands where. It never moves, hides, covers or writes anything, loads nothing,
 * and cannot look at what a person types.
 */

/** Colors for words, by the grounds they can be read on; the theme sees to the contrast of each such pair. */
export const WORDS_ON: Readonly<Record<string, readonly string[]>> = {
  surface: ['text', 'text-muted', 'brand-text'],
  'surface-raised': ['text', 'text-muted', 'brand-text'],
  'surface-sunken': ['text', 'text-muted'],
  'brand-soft': ['text', 'text-muted', 'brand-text'],
  brand: ['on-brand'],
  panel: ['on-panel', 'on-panel-muted'],
}

/** Every role a sheet may name with `var(--…)`, and the word that stands for it in the syntaxes below. */
export const ROLES: Readonly<Record<string, 'words' | 'ground' | 'length' | 'shadow'>> = {
  ...Object.fromEntries(Object.keys(WORDS_ON).map((role) => [role, 'ground' as const])),
  ...Object.fromEntries(
    Object.values(WORDS_ON)
      .flat()
      .map((role) => [role, 'words' as const]),
  ),
  line: 'words',
  'line-soft': 'ground',
  ...Object.fromEntries(
    [4, 8, 12, 16, 20, 24, 32, 40, 64].map((px) => [`space-${px}`, 'length' as const]),
  ),
  radius: 'length',
  'radius-large': 'length',
  shadow: 'shadow',
  'shadow-low': 'shadow',
}

const LENGTH = '[ <length [0,∞]> | length ]'
const COLOR = '[ words | ground | transparent ]'
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
 * The properties a sheet may set, each with its values in the CSS value definition syntax. Functions are refused before,
 * so a length is a plain one; `words`, `ground`, `length` and `shadow` stand for a role of that kind.
 */
export const PROPERTIES: Readonly<Record<string, string>> = {
  color: 'words',
  'background-color': 'ground | transparent',
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

/** Lengths beyond which a page is no longer the page: em and rem, and as many pixels. */
export const LENGTH_UNITS: Readonly<Record<string, number>> = { rem: 8, em: 8, px: 128 }

/** The least size of words, in the units that grow with a person's own setting. */
export const FONT_SIZE_REM = { least: 0.8125, most: 3 } as const

/** Elements a sheet may name. */
export const ELEMENTS: ReadonlySet<string> = new Set(
  'a button em fieldset footer h1 h2 h3 header img input label legend li main ol p section small span strong svg ul'.split(
    ' ',
  ),
)

/** Attributes a sheet may ask for: what the parts say about themselves, never what a person entered. */
export const ATTRIBUTES: ReadonlySet<string> = new Set(['data-part', 'data-kind', 'data-tone'])

/** Pseudo-classes: where the pointer and the focus are, and places in a list. None that tells what a field holds. */
export const PSEUDO_CLASSES: ReadonlySet<string> = new Set(
  'root hover active focus focus-visible first-child last-child is where not'.split(' '),
)

/** What a media query may ask. */
export const MEDIA_FEATURES: ReadonlySet<string> = new Set([
  'width',
  'min-width',
  'max-width',
  'hover',
  'prefers-reduced-motion',
])
