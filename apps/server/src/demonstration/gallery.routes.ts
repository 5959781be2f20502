/**
 * The gallery of demonstration mode: every screen in every brand, rendered by the applications' own views in sample
 * states. Its documents may only be framed by our own pages and do not exist in production.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '@portico/contracts/errors'
import { GALLERY_PATH, GALLERY_SCREENS, type GalleryApp } from '@portico/contracts/gallery'
import { Label } from '@portico/contracts/organization'
import type { Organization } from '@portico/contracts/organization-file'
import { PREVIEW_PATH, type PreviewBrand } from '@portico/contracts/preview'
import type { Scheme } from '@portico/rules/theme'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mailInScheme, previewCss, previewPage } from '../admin/organizations/preview-brand.ts'
import type { Brands, Organizations } from '../brands/brands.ts'
import type { Config } from '../config.ts'
import { contentSecurityPolicy, hashSource, pageHeaders } from '../http/security-headers.ts'
import type { Edge } from '../http/serve.ts'
import { serveFiles } from '../http/static-file.ts'
import { SAMPLE_MAILS } from '../mail/sample-mails.ts'
import { APPS, devEntry, entryFiles, PREVIEW_SOURCE } from '../pages/application.ts'
import { CONSOLE_APPEARANCE } from '../pages/console.routes.ts'
import { type EntryFiles, htmlDocument } from '../pages/document.ts'
import { type BrandChoice, GALLERY_STYLE, galleryPage, SCREEN_CHOICES } from './gallery-page.ts'
import { sendMailDocument } from './mail-preview.ts'

const BOT_CHECK = { kind: 'altcha' } as const
const FIRST_SCREEN = 'auth/login'

/** A brand with its organization. */
interface Brand extends BrandChoice {
  readonly organization: Organization
}

export function gallery(
  { app, visitor }: Edge,
  { config, brands }: { readonly config: Config; readonly brands: Brands },
): void {
  const { organizations, appearanceOf } = brands
  const choicesNow = () => brandsOf(organizations)
  const entries = new Map(
    Object.keys(GALLERY_SCREENS).map((name) => [
      name,
      // Object.keys loses the key type of GALLERY_SCREENS.
      galleryEntry(app, { name: name as GalleryApp, development: config.development }),
    ]),
  )

  const pageOf = (organization: Organization, origin: string, scheme?: Scheme) =>
    previewPage(brands, organization, { origin, scheme })

  app.get(GALLERY_PATH, (request, reply) => {
    const {
      brand = organizations.defaultOrganization.orgCode,
      screen = 'all',
      width,
    } = queryOf(request)
    const choices = choicesNow()
    const brandValue = choices.some(({ value }) => value === brand) ? brand : undefined
    const screenValue = SCREEN_CHOICES.some(({ value }) => value === screen) ? screen : undefined
    return reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        contentSecurityPolicy({
          'style-src': hashSource(GALLERY_STYLE),
          'frame-src': "'self'",
          'form-action': "'self'",
        }),
      )
      .send(
        galleryPage(choices, {
          brand: brandValue,
          // Showing all screens in all brands would create thousands of frames.
          screen: brandValue === undefined ? (screenValue ?? FIRST_SCREEN) : screenValue,
          scheme: schemeOf(request),
          phone: width === 'phone',
        }),
      )
  })

  app.get(`${GALLERY_PATH}/brands`, (request, reply): PreviewBrand[] =>
    choicesNow().map(({ name, organization }) => ({
      name,
      page: pageOf(organization, visitor(request, reply).linkOrigin),
      css: previewCss(brands, organization),
    })),
  )

  const brandOf = (request: FastifyRequest): Brand => {
    const requested = queryOf(request)['brand'] ?? organizations.defaultOrganization.orgCode
    const brand = choicesNow().find((each) => each.value === requested)
    if (brand === undefined) throw new Refusal('not-found')
    return brand
  }

  const mails = new Map(Object.entries(SAMPLE_MAILS))
  app.get<{ Params: { name: string } }>(`${GALLERY_PATH}/mail/:name`, (request, reply) => {
    const mail = mails.get(request.params.name)
    if (mail === undefined) throw new Refusal('not-found')
    const { organization } = brandOf(request)
    const { html } = mail({ organization, pagesOrigin: visitor(request, reply).linkOrigin })
    return sendMailDocument(reply, mailInScheme(html, schemeOf(request)))
  })

  const titles = new Map(SCREEN_CHOICES.map(({ value, title }) => [value, title]))
  app.get<{ Params: { app: string; screen: string } }>(
    `${GALLERY_PATH}/:app/:screen`,
    (request, reply) => {
      const { app: name, screen } = request.params
      const entry = entries.get(name)
      const title = titles.get(`${name}/${screen}`)
      if (entry === undefined || title === undefined) throw new Refusal('not-found')
      const brand = brandOf(request)
      const nonce = randomBytes(16).toString('base64url')
      const scheme = schemeOf(request)
      return reply
        .headers(pageHeaders(nonce, config, BOT_CHECK, 'own-pages'))
        .type('text/html; charset=utf-8')
        .send(
          htmlDocument({
            page: pageOf(brand.organization, visitor(request, reply).linkOrigin, scheme),
            title: `${title} | ${brand.name}`,
            html: '',
            entry: entry(nonce),
            nonce,
            appearance: name === 'console' ? CONSOLE_APPEARANCE : appearanceOf(brand.organization),
            scheme,
          }),
        )
    },
  )
}

/** The gallery build of an application; undefined if it is not built. */
function galleryEntry(
  app: FastifyInstance,
  { name, development }: { readonly name: GalleryApp; readonly development: boolean },
): ((nonce: string) => EntryFiles) | undefined {
  if (development) return (nonce) => devEntry(`/${name}/static/`, PREVIEW_SOURCE, nonce)
  const folder = join(APPS, name, 'dist/gallery')
  const manifestPath = join(folder, '.vite/manifest.json')
  if (!existsSync(manifestPath)) return undefined
  const base = `${PREVIEW_PATH}/static/${name}/`
  // The preview of the console serves the others.
  if (name === 'console') serveFiles(app, { folder, prefix: base, read: 'on demand' })
  const entry = entryFiles(manifestPath, { source: PREVIEW_SOURCE, base })
  return () => entry
}

/** All organizations by name, then the default organization with each label. */
function brandsOf({ all, defaultOrganization, resolve }: Organizations): readonly Brand[] {
  const plain = all.map((organization) => ({
    value: organization.orgCode,
    name: organization.companyInfo.name,
    organization,
  }))
  const labeled = Label.options.map((label) => {
    const organization = resolve({
      host: '',
      requested: defaultOrganization.orgCode,
      remembered: undefined,
      label,
    })
    const { name = label } = organization.label ?? {}
    return {
      value: `label:${label}`,
      name: `${organization.companyInfo.name} with ${name}`,
      organization,
    }
  })
  return [...plain.toSorted((one, other) => one.name.localeCompare(other.name, 'en')), ...labeled]
}

function queryOf(request: FastifyRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(request.url, 'http://gallery.invalid').searchParams)
}

function schemeOf(request: FastifyRequest): Scheme | undefined {
  const { scheme } = queryOf(request)
  return scheme === 'light' || scheme === 'dark' ? scheme : undefined
}
