/**
 * The appearance of each brand: theme, logos, icon and style sheet. All contrasts are checked when the server starts, so
 * that no lender's page shows unreadable text.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Organization } from '@portico/contracts/organization-file'
import { type BrandTheme, brandTheme, contrastErrors, themeCss } from '@portico/rules/theme'
import { escapeHtml } from '../escape-html.ts'
import type { Pictures, StyleSheet } from './brand-files.ts'
import { logoErrors, withVisibleLogos } from './logo.ts'
import type { BrandError } from './organization-errors.ts'

export interface BrandAppearance {
  /** The organization, with logos that are visible on each color scheme. */
  readonly organization: Organization
  /** The theme's custom properties. */
  readonly css: string
  /** The URL of the organization's own style sheet. */
  readonly styleSheet: string | undefined
  readonly icon: string
  /** Colors for the browser's toolbar. */
  readonly toolbarColors: { readonly light: string; readonly dark: string }
}

/** Checks the appearance of brands, adds errors to `errors`, and returns a function that derives it once for each. */
export function openAppearances(
  brands: readonly Organization[],
  {
    configDir,
    pictures,
    styleSheets,
    themeOf = openThemes(),
  }: {
    readonly configDir: string
    readonly pictures: Pictures
    readonly styleSheets: ReadonlyMap<string, StyleSheet>
    /** A new one by default. */
    readonly themeOf?: ThemeOf
  },
  errors: BrandError[],
): (organization: Organization) => BrandAppearance {
  const folder = join(configDir, 'styles')
  for (const organization of brands) {
    const { orgCode, label, styleSheetPath } = organization
    const found = label
      ? { source: `label ${label.code}` }
      : { source: `organization ${orgCode}`, orgCode }
    const { theme, errors: themeErrors } = themeOf(organization)
    const isKnown =
      styleSheetPath === undefined ||
      styleSheets.has(styleSheetPath) ||
      // Errors of unreadable files are already reported.
      existsSync(join(folder, styleSheetPath))
    if (!isKnown) {
      const message = `${styleSheetPath} does not exist in ${folder}`
      errors.push({ ...found, field: 'styleSheetPath', message })
    }
    const unreadable = themeErrors.map((error) => ({
      field: 'brandColor',
      message: `gives unreadable colors: ${error}`,
    }))
    errors.push(
      ...[...unreadable, ...logoErrors(organization, theme, pictures)].map((error) => ({
        ...found,
        ...error,
      })),
    )
  }

  const appearances = new WeakMap<Organization, BrandAppearance>()
  return (organization) => {
    const known = appearances.get(organization)
    if (known !== undefined) return known
    const { theme } = themeOf(organization)
    const { companyInfo, styleSheetPath = '' } = organization
    const appearance = {
      organization: withVisibleLogos(organization, theme, pictures),
      css: themeCss(theme),
      styleSheet: styleSheets.get(styleSheetPath)?.href,
      icon: companyInfo.faviconPath ?? defaultIcon(companyInfo.name, theme),
      toolbarColors: { light: theme.light.panel, dark: theme.dark.panel },
    }
    appearances.set(organization, appearance)
    return appearance
  }
}

export type ThemeOf = (organization: Pick<Organization, 'brandColor' | 'darkBrandColor'>) => {
  readonly theme: BrandTheme
  readonly errors: readonly string[]
}

/** More than any installation has. Without a limit, previews of color changes would fill the memory. */
const MAX_THEMES = 20_000

/** Derives and checks each theme once per pair of colors, because many organizations may share one. */
export function openThemes(): ThemeOf {
  const themes = new Map<string, ReturnType<ThemeOf>>()
  return ({ brandColor, darkBrandColor }) => {
    const colors = `${brandColor} ${darkBrandColor ?? ''}`
    const known = themes.get(colors)
    if (known !== undefined) return known
    const theme = brandTheme(brandColor, darkBrandColor)
    const derived = { theme, errors: contrastErrors(theme) }
    if (themes.size >= MAX_THEMES) themes.clear()
    themes.set(colors, derived)
    return derived
  }
}

/** Draws a default favicon: the company's initial on its color. */
function defaultIcon(company: string, { light }: BrandTheme): string {
  // Destructuring splits by code point: half a surrogate pair cannot be encoded in a URL.
  const [initial = ''] = company
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${light.panel}"/><text x="16" y="23" font-family="Helvetica,Arial,sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="${light['on-panel']}">${escapeHtml(initial)}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
