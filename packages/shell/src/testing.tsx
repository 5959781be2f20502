import { DEFAULT_WALLET_BRAND } from '@portico/contracts/organization'
import type { PageData } from '@portico/contracts/page-data'
import type { TextStorage } from '@portico/contracts/text-storage'
import { ToastProvider } from '@portico/ui/toast'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** An in-memory storage. */
export function memoryStorage(stored: Record<string, string> = {}): TextStorage {
  const texts = new Map(Object.entries(stored))
  return {
    read: (key) => texts.get(key),
    write: (key, text) => void texts.set(key, text),
    remove: (key) => void texts.delete(key),
  }
}

/** A signal that never aborts. */
export const neverAborted = new AbortController().signal

/** Renders a view to static HTML; `text` is its visible text in order. */
export function renderStatic(view: ReactNode) {
  const html = renderToStaticMarkup(<ToastProvider>{view}</ToastProvider>)
  return { html, text: textOf(html) }
}

/** The visible text of an HTML string, in order. */
export function textOf(html: string): string {
  return html
    .replace(/<(\w+)[^>]* aria-hidden="true"[^>]*>.*?<\/\1>/g, '')
    .replaceAll('<wbr/>', '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,?])/g, '$1')
    .trim()
}

/** Page data as the server would embed it. */
export function pageData(changes: Partial<PageData> = {}): PageData {
  return {
    path: '/auth/login',
    query: '',
    organization: {
      baseUrl: 'https://lender.example',
      canonicalOrgCode: 'FIGURE',
      orgBrand: 'figure',
      orgCode: 'FIGURE',
      orgMetaData: {
        companyInfo: {
          name: 'Figure',
          legalName: 'Figure Lending LLC',
          logoPath: '/brand/figure.svg',
          supportPhone: '8005550142',
          supportEmail: 'help@figure.example',
          nmlsNumber: '2100200',
          badge: 'EHL',
          termsUrl: '/legal/terms',
          privacyUrl: '/legal/privacy',
          licensesUrl: '/legal/licenses',
          electronicCommunicationsUrl: '/legal/electronic-communications',
        },
        products: [],
      },
      orgPricingData: [],
    },
    flags: { FIGURE: true },
    decisions: {},
    behaviors: {
      loginHeading: 'standard',
      registerLink: 'shown',
      registerAt: 'legacy',
      signerLink: 'shown',
    },
    wallet: DEFAULT_WALLET_BRAND,
    label: null,
    session: null,
    botCheck: { kind: 'altcha' },
    isFromOtherSite: false,
    providers: [],
    loginExperiments: [],
    telemetry: null,
    supportPhone: '8005550142',
    bannersUrl: '/banners/banners.json',
    demonstration: false,
    ...changes,
  }
}
