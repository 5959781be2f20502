/** Chooses the logo that is visible on each color scheme. */
import type { Organization } from '@portico/contracts/organization-file'
import { contrast } from '@portico/rules/color'
import { type BrandTheme, NON_TEXT_CONTRAST } from '@portico/rules/theme'
import type { FieldError } from '../data-files/data-files.ts'
import type { Pictures } from './brand-files.ts'

/** A logo for light pages and optionally another for dark pages. */
type LogoPaths = Pick<Organization['companyInfo'], 'logoPath' | 'darkLogoPath'>

/** The highest contrast of a logo's colors on a background; infinite if the colors are unknown, so that it is accepted. */
export function logoContrast(colors: readonly string[] | undefined, background: string): number {
  return colors === undefined
    ? Infinity
    : Math.max(...colors.map((color) => contrast(color, background)))
}

/**
 * Chooses the logo for each color scheme by its contrast on that scheme's panel. A logo that is not visible is replaced
 * by the other one: a label changes the panel, so the logo for dark pages may be the visible one on light pages too.
 */
function visibleLogos(
  { logoPath, darkLogoPath = logoPath }: LogoPaths,
  theme: BrandTheme,
  pictures: Pictures,
) {
  const measured = (path: string, background: string) => ({
    path,
    background,
    ratio: logoContrast(pictures.get(path)?.colors, background),
  })
  const choice = (paths: readonly [string, string], background: string) => {
    const [preferred, other] = [measured(paths[0], background), measured(paths[1], background)]
    return preferred.ratio >= NON_TEXT_CONTRAST || preferred.ratio >= other.ratio
      ? preferred
      : other
  }
  return {
    light: choice([logoPath, darkLogoPath], theme.light.panel),
    dark: choice([darkLogoPath, logoPath], theme.dark.panel),
  }
}

/** The logos of an organization that are not visible on one of its panels. */
export function logoErrors(
  { companyInfo, label, partner }: Organization,
  theme: BrandTheme,
  pictures: Pictures,
): FieldError[] {
  return Object.entries({ companyInfo, label, partner })
    .flatMap(([owner, paths]) =>
      Object.values(paths ? visibleLogos(paths, theme, pictures) : {}).map((logo) => ({
        owner,
        ...logo,
      })),
    )
    .filter(({ ratio }) => ratio < NON_TEXT_CONTRAST)
    .map(({ owner, path, background, ratio }) => ({
      field: `${owner}.logoPath`,
      message: `${path} is not visible on its background ${background}: its best contrast is ${ratio.toFixed(2)}:1 and must be ${NON_TEXT_CONTRAST}:1. Use another color, or set darkLogoPath for dark pages`,
    }))
}

/** Replaces the logos of an organization, its label and its partner by the visible ones. */
export function withVisibleLogos(
  organization: Organization,
  theme: BrandTheme,
  pictures: Pictures,
): Organization {
  const replaced = <Branded extends LogoPaths>(branded: Branded): Branded => {
    const { light, dark } = visibleLogos(branded, theme, pictures)
    return { ...branded, logoPath: light.path, darkLogoPath: dark.path }
  }
  const { companyInfo, label, partner } = organization
  return {
    ...organization,
    companyInfo: replaced(companyInfo),
    ...(label && { label: replaced(label) }),
    ...(partner && { partner: replaced(partner) }),
  }
}
