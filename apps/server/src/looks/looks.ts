/**
 * How each organization looks: its theme, icon and own style sheet, made once. Everything is held against its contrast
 * when the server starts, so that no lender's page shows what cannot be read.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Label } from '@portico/contracts/organization'
import type { Organization } from '@portico/contracts/organization-file'
import { contrastErrors } from '@portico/rules/contrast-faults'
import { type BrandTheme, brandTheme, NON_TEXT_CONTRAST, themeCss } from '@portico/rules/theme'
import { contrast } from '@portico/rules/theme-color'
import { escapeHtml } from '../escape-html.ts'
import type { LoadedOrganizations, Organizations } from '../organizations/organizations.ts'
import { pngColors } from '../png-colors/png-colors.ts'
import { logoContrast } from './logo-contrast.ts'
import { readStyleSheets, type StyleSheet } from './style-sheets.ts'

/** What a document needs to look like its organization. */
export interface Look {
  /** The organization, with whichever of its logos can be seen where it stands. */
  readonly organization: Organization
  /** The theme's custom properties. */
  readonly css: string
  /** The address of the organization's own sheet. */
  readonly styleSheet: string | undefined
  readonly icon: string
  /** What a browser may paint its own bars with. */
  readonly bars: { readonly light: string; readonly dark: string }
}

/** The looks of an installation. */
export interface Looks {
  readonly of: (organization: Organization) => Look
  readonly styleSheets: readonly StyleSheet[]
}

/**
 * Reads what organizations look like beyond their colors, and checks the contrast of all of it. Adds what is wrong to
 * `errors`: the sheet and line, or the organization and color.
 */
export async function openLooks(
  configDir: string,
  organizations: LoadedOrganizations,
  errors: string[],
): Promise<Looks> {
  const sheets = await readStyleSheets(configDir, errors)
  const themes = themesByColors()
  const shortcomings = onceEach(contrastErrors)
  const logos = contrastsAmong(organizations.pictures)
  for (const organization of everyBrand(organizations)) {
    const theme = themes(organization)
    const { orgCode, label, styleSheetPath } = organization
    const name = label ? `label ${label.code}` : `organization ${orgCode}`
    if (styleSheetPath !== undefined && !existsSync(join(configDir, 'styles', styleSheetPath))) {
      errors.push(
        `${name}: styleSheetPath names ${styleSheetPath}, which is not in ${join(configDir, 'styles')}`,
      )
    }
    errors.push(
      ...shortcomings(theme).map((fault) => `${name}: brandColor: ${fault}`),
      ...logoErrors(organization, theme, logos).map((fault) => `${name}: ${fault}`),
    )
  }

  const looks = new WeakMap<Organization, Look>()
  return {
    styleSheets: [...sheets.values()],
    of(organization) {
      const look = looks.get(organization) ?? {
        ...lookOf(organization, themes(organization), logos),
        styleSheet: sheets.get(organization.styleSheetPath ?? '')?.href,
      }
      looks.set(organization, look)
      return look
    },
  }
}

/** Every organization as its pages show it: plain, and the provider under each label. */
function everyBrand({ all, resolve }: Organizations): readonly Organization[] {
  const labeled = Label.options.map((label) =>
    resolve({ host: '', asked: undefined, kept: undefined, label }),
  )
  return [...all, ...labeled]
}

/** Themes, derived once for each pair of colors. */
function themesByColors(): (organization: Organization) => BrandTheme {
  const made = new Map<string, BrandTheme>()
  return ({ brandColor, darkBrandColor }) => {
    const colors = `${brandColor} ${darkBrandColor ?? ''}`
    const theme = made.get(colors) ?? brandTheme(brandColor, darkBrandColor)
    made.set(colors, theme)
    return theme
  }
}

/** What something comes to, worked out once: many organizations may share a theme or a picture. */
function onceEach<Given, Result>(workOut: (given: Given) => Result): (given: Given) => Result {
  const known = new Map<Given, { readonly result: Result }>()
  return (given) => {
    const { result } = known.get(given) ?? { result: workOut(given) }
    known.set(given, { result })
    return result
  }
}

/** Contrasts of the pictures that came with the organizations; the colors of each are found once. */
function contrastsAmong(pictures: LoadedOrganizations['pictures']): ContrastOf {
  const colorsOf = onceEach((path: string): readonly string[] | undefined => {
    const bytes = pictures.get(path)?.bytes
    const read = bytes && pngColors(bytes)
    return read && 'colors' in read ? read.colors : undefined
  })
  return (path, ground) => {
    if (path.endsWith('.svg')) {
      const svg = pictures.get(path)?.bytes.toString('utf8')
      return svg === undefined ? Infinity : logoContrast(svg, ground)
    }
    const colors = colorsOf(path)
    return colors === undefined
      ? Infinity
      : Math.max(...colors.map((color) => contrast(color, ground)))
  }
}

/** A logo: on light pages, and on dark ones where that is another. */
type Pictures = Pick<Organization['companyInfo'], 'logoPath' | 'darkLogoPath'>

/** How well a picture is seen on a ground; where it cannot be told, its owner is believed. */
type ContrastOf = (path: string, ground: string) => number

/**
 * The logo of each scheme and how well it is seen on that scheme's panel. One that cannot be seen gives way to the other:
 * a label brings its own panel, on which the logo meant for dark pages may be the one to be seen on light ones too.
 */
function logosOn(
  { logoPath, darkLogoPath = logoPath }: Pictures,
  theme: BrandTheme,
  contrastOf: ContrastOf,
) {
  const seen = (path: string, ground: string) => ({
    path,
    ground,
    ratio: contrastOf(path, ground),
  })
  const choice = (paths: readonly [string, string], ground: string) => {
    const [meant, other] = [seen(paths[0], ground), seen(paths[1], ground)]
    return meant.ratio >= NON_TEXT_CONTRAST || meant.ratio >= other.ratio ? meant : other
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
    .flatMap(([whose, pictures]) =>
      Object.values(pictures ? logosOn(pictures, theme, contrastOf) : {}).map((logo) => ({
        whose,
        ...logo,
      })),
    )
    .filter(({ ratio }) => ratio < NON_TEXT_CONTRAST)
    .map(
      ({ whose, path, ground, ratio }) =>
        `${whose}.logoPath ${path} cannot be seen on ${ground}, where it stands: its colors reach ${ratio.toFixed(2)}:1 and need ${NON_TEXT_CONTRAST}:1. Draw it in another color, or give darkLogoPath for dark pages`,
    )
}

function withLogos<Pictured extends Pictures>(
  pictured: Pictured,
  theme: BrandTheme,
  contrastOf: ContrastOf,
): Pictured {
  const { light, dark } = logosOn(pictured, theme, contrastOf)
  return { ...pictured, logoPath: light.path, darkLogoPath: dark.path }
}

function lookOf(
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
    icon: companyInfo.faviconPath ?? drawnIcon(companyInfo.name, theme),
    bars: { light: theme.light.panel, dark: theme.dark.panel },
  }
}

/** The icon of a browser's tab: the company's initial on its color. */
function drawnIcon(company: string, { light }: BrandTheme): string {
  // By characters: half of one that takes two units is no text, and no address can hold it.
  const [initial = ''] = company
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${light.panel}"/><text x="16" y="23" font-family="Helvetica,Arial,sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="${light['on-panel']}">${escapeHtml(initial)}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
