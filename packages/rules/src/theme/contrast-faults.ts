import { contrast } from './color.ts'
import {
  type BrandRole,
  type BrandTheme,
  NEUTRAL_COLORS,
  NON_TEXT_CONTRAST,
  type Scheme,
  TEXT_CONTRAST,
} from './theme.ts'

/** What stands on what: names of brand roles and of neutral ones. */
type Role = BrandRole | keyof (typeof NEUTRAL_COLORS)[Scheme]

/** Where words meet a brand's colors. */
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

/** Where buttons, rings and marks in a brand's colors meet the page. */
const MARKS: readonly (readonly [Role, Role])[] = (['brand', 'brand-hover', 'focus'] as const)
  .map((mark) =>
    (['surface', 'surface-raised', 'brand-soft'] as const).map((ground) => [mark, ground] as const),
  )
  .flat()

/**
 * Every place where a theme falls short of WCAG 2.2 AA: text under 4.5:1, marks under 3:1. None for what `brandTheme`
 * derives; the server asks all the same before it shows a brand to anybody.
 */
export function contrastErrors(theme: BrandTheme): readonly string[] {
  return (['light', 'dark'] as const).flatMap((scheme) => {
    const roles: Readonly<Record<Role, string>> = { ...NEUTRAL_COLORS[scheme], ...theme[scheme] }
    const short = (pairs: typeof TEXTS, least: number) =>
      pairs
        .map(([front, back]) => ({
          front,
          back,
          ratio: contrast(roles[front], roles[back]),
        }))
        .filter(({ ratio }) => ratio < least)
        .map(
          ({ front, back, ratio }) =>
            `${scheme}: ${front} ${roles[front]} on ${back} ${roles[back]} has ${ratio.toFixed(2)}:1 and needs ${least}:1`,
        )
    return [...short(TEXTS, TEXT_CONTRAST), ...short(MARKS, NON_TEXT_CONTRAST)]
  })
}
