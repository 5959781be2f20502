/**
 * Builds each organization's look once: theme, icon and style sheet. All contrasts are checked when the server starts,
 * so that no lender's page shows unreadable text.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Label } from '@portico/contracts/organization'
import type { Organization } from '@portico/contracts/organization-file'
import { contrastErrors } from '@portico/rules/contrast-errors'
import { type BrandTheme, brandTheme, NON_TEXT_CONTRAST, themeCss } from '@portico/rules/theme'
import { contrast } from '@portico/rules/theme-color'
import { escapeHtml } from '../escape-html.ts'
import type { LoadedOrganizations, Organizations } from '../organizations/organizations.ts'
import { pngColors } from '../png-colors/png-colors.ts'
import { logoContrast } from './logo-contrast.ts'
import { readStyleSheets, type StyleSheet } from './style-sheets.ts'

/** The brand of a document. */
export interface Look {
  /** The organization, with the logos that are visible on each color scheme. */
  readonly organization: Organization
  /** The theme's custom properties. */
  readonly css: string
  /** The URL of the organization's own style sheet. */
  readonly styleSheet: string | undefined
  readonly icon: string
  /** Colors for the browser's own toolbar. */
  readonly bars: { readonly light: string; readonly dark: string }
}

export interface Looks {
  readonly of: (organization: Organization) => Look
  readonly styleSheets: readonly StyleSheet[]
}

/**
 * Reads the style sheets and checks the contrast of all brands. Adds errors to `errors`, with the sheet and line or the
 * organization and color.
 */
export async function openLooks(
  configDir: string,
  organizations: LoadedOrganizations,
  errors: string[],
): Promise<Looks> {
  const sheets = await readStyleSheets(configDir, errors)
  const themes = themesByColors()
  const themeErrors = memoize(contrastErrors)
  const logos = pictureContrasts(organizations.pictures)
  for (const organization of everyBrand(organizations)) {
    const theme = themes(organization)
    const { orgCode, label, styleSheetPath } = organization
    const name = label ? `label ${label.code}` : `organization ${orgCode}`
    if (styleSheetPath !== undefined && !existsSync(join(configDir, 'styles', styleSheetPath))) {
      errors.push(
        `${name}: styleSheetPath ${styleSheetPath} does not exist in ${join(configDir, 'styles')}`,
      )
    }
    errors.push(
      ...themeErrors(theme).map((error) => `${name}: brandColor: ${error}`),
      ...logoErrors(organization, theme, logos).map((error) => `${name}: ${error}`),
    )
  }

  const looks = new WeakMap<Organization, Look>()
  return {
    styleSheets: [...sheets.values()],
    of(organization) {
      const look = looks.get(organization) ?? {
        ...createLook(organization, themes(organization), logos),
        styleSheet: sheets.get(organization.styleSheetPath ?? '')?.href,
      }
      looks.set(organization, look)
      return look
    },
  }
}

/** Every organization, and the default organization with each label. */
function everyBrand({ all, resolve }: Organizations): readonly Organization[] {
  const labeled = Label.options.map((label) =>
    resolve({ host: '', requested: undefined, remembered: undefined, label }),
  )
  return [...all, ...labeled]
}

/** Derives each theme once per pair of colors. */
function themesByColors(): (organization: Organization) => BrandTheme {
  const made = new Map<string, BrandTheme>()
  return ({ brandColor, darkBrandColor }) => {
    const colors = `${brandColor} ${darkBrandColor ?? ''}`
    const theme = made.get(colors) ?? brandTheme(brandColor, darkBrandColor)
    made.set(colors, theme)
    return theme
  }
}

/** Memoizes a function: many organizations may share a theme or picture. */
function memoize<Input, Result>(compute: (input: Input) => Result): (input: Input) => Result {
  const known = new Map<Input, { readonly result: Result }>()
  return (input) => {
    const { result } = known.get(input) ?? { result: compute(input) }
    known.set(input, { result })
    return result
  }
}

function pictureContrasts(pictures: LoadedOrganizations['pictures']): ContrastOf {
  const colorsOf = memoize((path: string): readonly string[] | undefined => {
    const bytes = pictures.get(path)?.bytes
    const read = bytes && pngColors(bytes)
    return read && 'colors' in read ? read.colors : undefined
  })
  return (path, background) => {
    if (path.endsWith('.svg')) {
      const svg = pictures.get(path)?.bytes.toString('utf8')
      return svg === undefined ? Infinity : logoContrast(svg, background)
    }
    const colors = colorsOf(path)
    return colors === undefined
      ? Infinity
      : Math.max(...colors.map((color) => contrast(color, background)))
  }
}

/** A logo for light pages and optionally another for dark pages. */
type LogoPaths = Pick<Organization['companyInfo'], 'logoPath' | 'darkLogoPath'>

/** The contrast of a picture on a background; infinite if it cannot be determined, so that the picture is accepted. */
type ContrastOf = (path: string, background: string) => number

/**
 * Chooses the logo for each color scheme by its contrast on that scheme's panel. A logo that is not visible is replaced
 * by the other one: a label changes the panel, so the logo for dark pages may be the visible one on light pages too.
 */
function logosOn(
  { logoPath, darkLogoPath = logoPath }: LogoPaths,
  theme: BrandTheme,
  contrastOf: ContrastOf,
) {
  const measured = (path: string, background: string) => ({
    path,
    background,
    ratio: contrastOf(path, background),
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

function logoErrors(
  { companyInfo, label, partner }: Organization,
  theme: BrandTheme,
  contrastOf: ContrastOf,
): string[] {
  return Object.entries({ companyInfo, label, partner })
    .flatMap(([owner, pictures]) =>
      Object.values(pictures ? logosOn(pictures, theme, contrastOf) : {}).map((logo) => ({
        owner,
        ...logo,
      })),
    )
    .filter(({ ratio }) => ratio < NON_TEXT_CONTRAST)
    .map(
      ({ owner, path, background, ratio }) =>
        `${owner}.logoPath ${path} is not visible on its background ${background}: its best contrast is ${ratio.toFixed(2)}:1 and must be ${NON_TEXT_CONTRAST}:1. Use another color, or set darkLogoPath for dark pages`,
    )
}

function withLogos<Branded extends LogoPaths>(
  branded: Branded,
  theme: BrandTheme,
  contrastOf: ContrastOf,
): Branded {
  const { light, dark } = logosOn(branded, theme, contrastOf)
  return { ...branded, logoPath: light.path, darkLogoPath: dark.path }
}

function createLook(
  organization: Organization,
  theme: BrandTheme,
  contrastOf: ContrastOf,
): Omit<Look, 'styleSheet'> {
  const { companyInfo, label, partner } = organization
  return {
    organization: {
      ...organization,
      companyInfo: withLogos(companyInfo, theme, contrastOf),
      ...(label && { label: withLogos(label, theme, contrastOf) }),
      ...(partner && { partner: withLogos(partner, theme, contrastOf) }),
    },
    css: themeCss(theme),
    icon: companyInfo.faviconPath ?? defaultIcon(companyInfo.name, theme),
    bars: { light: theme.light.panel, dark: theme.dark.panel },
  }
}

/** Draws a default favicon: the company's initial on its color. */
function defaultIcon(company: string, { light }: BrandTheme): string {
  // Destructuring splits by code point: half a surrogate pair cannot be encoded in a URL.
  const [initial = ''] = company
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${light.panel}"/><text x="16" y="23" font-family="Helvetica,Arial,sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="${light['on-panel']}">${escapeHtml(initial)}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
