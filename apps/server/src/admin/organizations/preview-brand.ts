/** A brand for previews of screens and mails, with sample values instead of a visitor. */
import { EXPERIMENT_KEYS } from '@portico/contracts/experiment-keys'
import type { Organization } from '@portico/contracts/organization-file'
import type { PageData } from '@portico/contracts/page-data'
import type { Scheme } from '@portico/rules/theme'
import { type Brands, organizationInfo, pageLabel } from '../../brands/brands.ts'

/** The page data of the previewed screens. */
export function previewPage(
  { organizations, appearanceOf }: Pick<Brands, 'appearanceOf' | 'organizations'>,
  organization: Organization,
  { origin, scheme }: { readonly origin: string; readonly scheme?: Scheme | undefined },
): PageData {
  const shown = inScheme(appearanceOf(organization).organization, scheme)
  return {
    path: '/auth/login',
    query: '',
    organization: organizationInfo(shown, origin),
    flags: organizations.flags(organization.orgCode),
    decisions: Object.fromEntries(EXPERIMENT_KEYS.map((key) => [key, false])),
    behaviors: organization.behaviors,
    wallet: organization.wallet,
    label: pageLabel(shown),
    session: null,
    botCheck: { kind: 'altcha' },
    supportPhone: organization.companyInfo.supportPhone,
    telemetry: null,
    bannersUrl: '',
    isFromOtherSite: false,
    providers: [],
    loginExperiments: [],
    demonstration: true,
  }
}

/** The theme of a brand and, if it has one, its style sheet. */
export function previewCss(
  { appearanceOf, styleSheets }: Pick<Brands, 'appearanceOf' | 'styleSheets'>,
  organization: Organization,
): string {
  const sheet = styleSheets.get(organization.styleSheetPath ?? '')
  return `${appearanceOf(organization).css}${sheet?.css ?? ''}`
}

/** Keeps only the logo for the forced color scheme, which may differ from the browser's. */
function inScheme(organization: Organization, scheme: Scheme | undefined): Organization {
  if (scheme === undefined) return organization
  const withOneLogo = <Branded extends { logoPath: string; darkLogoPath?: string | undefined }>(
    branded: Branded,
  ): Branded => {
    const { darkLogoPath = branded.logoPath } = branded
    const logoPath = scheme === 'dark' ? darkLogoPath : branded.logoPath
    return { ...branded, logoPath, darkLogoPath: logoPath }
  }
  const { companyInfo, label, partner } = organization
  return {
    ...organization,
    companyInfo: withOneLogo(companyInfo),
    ...(label && { label: withOneLogo(label) }),
    ...(partner && { partner: withOneLogo(partner) }),
  }
}

/** Forces the color scheme of a mail, which otherwise follows the browser. */
export function mailInScheme(html: string, scheme: Scheme | undefined): string {
  if (scheme === undefined) return html
  return html.replace(
    '@media (prefers-color-scheme:dark)',
    scheme === 'dark' ? '@media all' : '@media not all',
  )
}
