/**
 * The HTML document around an application's markup: brand colors, styles, scripts, the page data as escaped JSON, and
 * messages for visitors without working scripts.
 */
import { PAGE_DATA_ELEMENT, type PageData } from '@portico/contracts/page-data'
import { formatPhone, phoneLink } from '@portico/rules/phone'
import type { Scheme } from '@portico/rules/theme'
import type { BrandAppearance } from '../brands/brands.ts'
import { escapeHtml } from '../escape-html.ts'
import { BOOT_SCRIPT } from './boot-script.ts'

/** The files of an application's build. */
export interface EntryFiles {
  readonly styles: readonly string[]
  readonly script: string
  readonly preloads: readonly string[]
  readonly fonts: readonly string[]
  /** Additional markup for the head in development. */
  readonly head?: string
}

/** Renders the document with the brand of its organization. */
export function htmlDocument(parts: {
  readonly page: Pick<PageData, 'label' | 'organization' | 'supportPhone'>
  /** The data for the page's script; by default `page`. */
  readonly data?: unknown
  readonly title: string
  readonly html: string
  readonly entry: EntryFiles
  readonly nonce: string
  readonly appearance: Omit<BrandAppearance, 'organization'>
  /** The page's robots directives. */
  readonly robots?: 'noindex' | 'none'
  /** Forces light or dark mode, regardless of the browser's preference. */
  readonly scheme?: Scheme | undefined
  /** The page's referrer policy. */
  readonly referrer?: 'same-origin' | 'no-referrer'
  /** Additional links in the head. */
  readonly links?: string
  /** A document with an opaque origin has no cookies and submits no forms, so it does not need the inline script. */
  readonly isSandboxed?: boolean
}): string {
  const { page, title, html, entry, nonce, appearance, scheme } = parts
  const { data = page, referrer = 'same-origin', links = '', robots = 'noindex' } = parts
  const { isSandboxed = false } = parts
  const { supportEmail } = page.organization.orgMetaData.companyInfo
  return `<!doctype html>
<html lang="en"${page.label === null ? '' : ` data-label="${page.label.code}"`}${scheme === undefined ? '' : ` data-scheme="${scheme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="${robots}">
<meta name="referrer" content="${referrer}">
<title>${escapeHtml(title)}</title>
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${appearance.toolbarColors.light}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${appearance.toolbarColors.dark}">
<style nonce="${nonce}">${appearance.css}</style>
<link rel="icon" href="${appearance.icon}">
${links}${[...entry.styles, ...(appearance.styleSheet === undefined ? [] : [appearance.styleSheet])].map((href) => `<link rel="stylesheet" href="${href}" nonce="${nonce}">`).join('\n')}
${entry.fonts.map((href) => `<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin>`).join('\n')}
${entry.preloads.map((href) => `<link rel="modulepreload" href="${href}" nonce="${nonce}">`).join('\n')}
${isSandboxed ? '' : `<script nonce="${nonce}">${BOOT_SCRIPT}</script>`}
${entry.head ?? ''}<script type="module" src="${entry.script}" nonce="${nonce}"></script>
</head>
<body>
<div id="load-failed" class="load-failed" role="alert" hidden>
<p>This page did not load completely. Please check your connection and reload it. If that does not help, call <a href="${phoneLink(page.supportPhone)}">${escapeHtml(formatPhone(page.supportPhone))}</a> or write to <a href="mailto:${escapeHtml(supportEmail)}">${escapeHtml(supportEmail)}</a>.</p>
</div>
<div id="cookies-blocked" class="load-failed" role="alert" hidden>
<p>Your browser blocks cookies, which are needed to stay logged in. Please allow cookies for this site and reload the page.</p>
</div>
<noscript><div class="load-failed"><p>This page needs JavaScript. Please switch it on in your browser’s settings and reload the page.</p></div></noscript>
<div id="root">${html}</div>
<script type="application/json" id="${PAGE_DATA_ELEMENT}" nonce="${nonce}">${safeJson(data)}</script>
</body>
</html>`
}

/** Escapes `<` and the two line separators, so that the JSON cannot end its script element or begin another. */
function safeJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
