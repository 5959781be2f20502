/** The mobile wallet (§1; protocol 14): an installable page that needs no session and works offline. */
import { createHash, randomBytes } from 'node:crypto'
import {
  MOBILE_WALLET_MANIFEST_PATH,
  MOBILE_WALLET_PATH,
  MOBILE_WALLET_SERVICE_WORKER_PATH,
  MOBILE_WALLET_VERSION_HEADER,
  type MobileWalletPage,
  type MobileWalletVersion,
} from '@portico/contracts/mobile-wallet'
import type { Organization } from '@portico/contracts/organization-file'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type BrandAppearance, type Brands, organizationInfo } from '../brands/brands.ts'
import type { Config } from '../config.ts'
import { PAGES } from '../http/rate-limits.ts'
import { MOBILE_WALLET_WORKER_POLICY, mobileWalletHeaders } from '../http/security-headers.ts'
import { type Edge, enforceRateLimit } from '../http/serve.ts'
import type { MobileWallet } from './application.ts'
import { htmlDocument } from './document.ts'
import { walletIcon } from './wallet-icon.ts'

/** Apple's home screen uses the first size, and installed web apps use the others. */
const ICON_SIZES = [180, 192, 512] as const

const DAY_S = 24 * 60 * 60

export function mobileWallet(
  edge: Edge,
  deps: {
    readonly config: Config
    readonly brands: Brands
    readonly mobile: MobileWallet
  },
): void {
  const { app } = edge
  const { config, brands, mobile } = deps

  const brandOf = async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = edge.visitor(request, reply)
    await enforceRateLimit(edge.rateLimit, `pages ${visitor.network}`, PAGES)
    const appearance = brands.appearanceOf(visitor.organization)
    return { visitor, appearance, organization: appearance.organization }
  }

  const pageOf = (organization: Organization): MobileWalletPage => {
    const { name, logoPath, darkLogoPath, supportEmail } = organization.companyInfo
    return {
      orgCode: organization.orgCode,
      name,
      logoPath,
      ...(darkLogoPath === undefined ? {} : { darkLogoPath }),
      supportPhone: organization.companyInfo.supportPhone,
      supportEmail,
      wallet: organization.wallet,
      addressPrefix: config.addressPrefix,
      demonstration: !config.production,
      version: config.version,
      offline: mobile.serviceWorker !== undefined,
    }
  }

  /** The version of an organization's page. Any change to its data, brand or files changes it. */
  const versionOf = (organization: Organization, appearance: BrandAppearance) => {
    const { logoPath, darkLogoPath } = organization.companyInfo
    const address = withOrganization(MOBILE_WALLET_PATH, organization)
    const pictures = [logoPath, darkLogoPath, appearance.icon, appearance.styleSheet]
    const files = [
      ...mobile.files,
      ...new Set(pictures.filter((each) => each?.startsWith('/') === true)),
    ] as readonly string[] // The filter keeps only texts.
    const content = JSON.stringify([
      pageOf(organization),
      appearance.css,
      files,
      mobile.serviceWorker,
    ])
    const id = createHash('sha256').update(content).digest('base64url').slice(0, 16)
    return { id, page: address, files } satisfies MobileWalletVersion
  }

  app.get(MOBILE_WALLET_PATH, async (request, reply) => {
    const { visitor, appearance, organization } = await brandOf(request, reply)
    const nonce = randomBytes(16).toString('base64url')
    visitor.keepOrganization(organization.orgCode)
    const iconLink = withOrganization(iconPath(ICON_SIZES[0]), organization)
    const manifestLink = withOrganization(MOBILE_WALLET_MANIFEST_PATH, organization)
    return reply
      .headers(mobileWalletHeaders(nonce, config))
      .header(MOBILE_WALLET_VERSION_HEADER, versionOf(organization, appearance).id)
      .type('text/html; charset=utf-8')
      .send(
        htmlDocument({
          page: {
            label: null,
            organization: organizationInfo(organization, visitor.linkOrigin),
            supportPhone: organization.companyInfo.supportPhone,
          },
          data: pageOf(organization),
          title: organization.wallet.mobileName,
          html: '',
          entry: mobile.entry(nonce),
          nonce,
          appearance,
          referrer: 'no-referrer',
          links: `<link rel="manifest" href="${manifestLink}">
<link rel="apple-touch-icon" href="${iconLink}">
<meta name="mobile-web-app-capable" content="yes">
`,
        }),
      )
  })

  app.get(MOBILE_WALLET_MANIFEST_PATH, async (request, reply) => {
    const { appearance, organization } = await brandOf(request, reply)
    return reply
      .type('application/manifest+json')
      .header('cache-control', 'no-cache')
      .send(
        JSON.stringify({
          id: MOBILE_WALLET_PATH,
          name: organization.wallet.mobileName,
          short_name: organization.wallet.walletName,
          description: `Keeps your account of ${organization.companyInfo.name} on this phone and signs what you approve.`,
          start_url: withOrganization(MOBILE_WALLET_PATH, organization),
          scope: MOBILE_WALLET_PATH,
          display: 'standalone',
          orientation: 'portrait',
          theme_color: appearance.toolbarColors.light,
          background_color: appearance.toolbarColors.light,
          icons: ICON_SIZES.slice(1).map((size) => ({
            src: withOrganization(iconPath(size), organization),
            sizes: `${size}x${size}`,
            type: 'image/png',
            // The color fills the whole icon, and the drawing stays within the safe zone of every mask shape.
            purpose: 'any maskable',
          })),
        }),
      )
  })

  for (const size of ICON_SIZES) {
    app.get(iconPath(size), async (request, reply) => {
      const { appearance } = await brandOf(request, reply)
      const color = appearance.toolbarColors.light
      return reply
        .type('image/png')
        .header('cache-control', `public, max-age=${DAY_S}`)
        .send(walletIcon({ size, color }))
    })
  }

  app.get(MOBILE_WALLET_SERVICE_WORKER_PATH, async (request, reply) => {
    const { appearance, organization } = await brandOf(request, reply)
    if (mobile.serviceWorker === undefined) return reply.callNotFound()
    const version = versionOf(organization, appearance)
    return reply
      .type('text/javascript; charset=utf-8')
      .headers({
        'cache-control': 'no-cache',
        'content-security-policy': MOBILE_WALLET_WORKER_POLICY,
        // Without this header the worker would only control the paths below its own folder.
        'service-worker-allowed': MOBILE_WALLET_PATH,
      })
      .send(`self.VERSION = ${JSON.stringify(version)}\n${mobile.serviceWorker}`)
  })
}

/** A path that shows the organization regardless of which one's page the browser opened last. */
function withOrganization(path: string, { orgCode }: Organization): string {
  return `${path}?orgCode=${encodeURIComponent(orgCode)}`
}

const iconPath = (size: number) => `${MOBILE_WALLET_PATH}/icon-${size}.png`
