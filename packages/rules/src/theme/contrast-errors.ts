import { contrast } from './color.ts'
import {
  type BrandRole,
  type BrandTheme,
  NEUTRAL_COLORS,
  NON_TEXT_CONTRAST,
  type Scheme,
  TEXT_CONTRAST,
} from './theme.ts'

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
    (['surface', 'surface-raised', 'brand-soft'] as const).map((ground) => [mark, ground] as const),
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
