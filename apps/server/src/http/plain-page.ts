/** A standalone page with one message and links or a form. It needs no script, so it works even if the applications fail. */
import type { CompanyInfo } from '@portico/contracts/organization'
import { formatPhone, phoneLink } from '@portico/rules/phone'
import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../escape-html.ts'
import { contentSecurityPolicy, hashSource } from './security-headers.ts'

/** The page's style, which its policy allows by hash. Without a brand the colors are neutral. */
const STYLE = `
:root { color-scheme: light dark; --muted: light-dark(#545862, #abafb8); font: 17px/1.5 system-ui, sans-serif; }
body { margin: 0; background: light-dark(#fbfbf9, #131418); color: light-dark(#1b1d24, #eceef1); }
header { padding: 16px 20px; background: var(--panel); } header img { display: block; height: 28px; max-width: 100%; }
main { max-width: 36rem; margin: 0 auto; padding: 18vh 20px 40px; overflow-wrap: break-word; }
header + main { padding-top: 64px; }
h1 { margin: 0 0 16px; font-size: 28px; font-weight: 600; line-height: 1.2; letter-spacing: -.014em; text-wrap: balance; }
p, ul { margin: 0 0 24px; color: var(--muted); text-wrap: pretty; } ul { padding-inline-start: 1.2em; } li + li { margin-top: 8px; } small { font-size: 13px; }
code { font: .9em ui-monospace, monospace; user-select: all; }
a { color: var(--brand-text, light-dark(#1b1d24, #eceef1)); text-underline-offset: .2em; }
p > a:only-child { display: inline-block; padding: 11px 20px; border: 1px solid var(--muted); border-radius: 6px;
  font-weight: 600; text-decoration: none; } p > a:only-child:hover { border-color: currentcolor; }
button { padding: 12px 20px; border: 0; border-radius: 6px; background: var(--brand, light-dark(#1b1d24, #eceef1));
  color: var(--on-brand, light-dark(#fff, #131418)); font: inherit; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 2px solid var(--focus, currentcolor); outline-offset: 2px; }`

const SUBMIT = 'document.forms[0].submit()'

/** The page's brand: the theme's custom properties and the logo. */
export interface PlainPageBrand {
  readonly css: string
  readonly name: string
  readonly logoPath: string
  readonly darkLogoPath: string | undefined
}

interface PlainPage {
  readonly title: string
  readonly heading: string
  readonly html: string
  /** Whether it contains a form, submitted to this origin by the user, or immediately if the browser runs scripts. */
  readonly form?: 'by-user' | 'at-once'
  /** Another origin that the form's response redirects to. */
  readonly formLeadsTo?: string | undefined
  /** Without a brand the page is neutral. */
  readonly brand?: PlainPageBrand
}

/** @param page.html - the content below the heading; a link alone in a paragraph is shown as a button */
export function sendPlainPage(reply: FastifyReply, page: PlainPage): FastifyReply {
  const { headers, html } = plainPage(page)
  return reply.headers(headers).send(html)
}

/** The page's headers and document. */
export function plainPage(page: PlainPage) {
  const { title, heading, html, form, formLeadsTo, brand } = page
  const styles = brand === undefined ? [STYLE] : [brand.css, STYLE]
  const policy = {
    'style-src': styles.map(hashSource).join(' '),
    ...(brand && { 'img-src': "'self'" }),
    ...(form && { 'form-action': ["'self'", formLeadsTo ?? ''].join(' ').trim() }),
    ...(form === 'at-once' && { 'script-src': hashSource(SUBMIT) }),
  }
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(policy),
    },
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title>${styles.map((style) => `<style>${style}</style>`).join('')}</head>
<body>${brand === undefined ? '' : header(brand)}<main><h1>${escapeHtml(heading)}</h1>
${html}</main>${form === 'at-once' ? `<script>${SUBMIT}</script>` : ''}</body></html>`,
  }
}

function header({ name, logoPath, darkLogoPath }: PlainPageBrand): string {
  const dark =
    darkLogoPath === undefined || darkLogoPath === logoPath
      ? ''
      : `<source srcset="${escapeHtml(darkLogoPath)}" media="(prefers-color-scheme: dark)">`
  return `<header><picture>${dark}<img src="${escapeHtml(logoPath)}" alt="${escapeHtml(name)}"></picture></header>`
}

/** A sentence with links to support. */
export function supportSentence({
  supportPhone,
  supportEmail,
}: Pick<CompanyInfo, 'supportPhone' | 'supportEmail'>): string {
  const [phone, email] = [escapeHtml(formatPhone(supportPhone)), escapeHtml(supportEmail)]
  return `Questions? Call <a href="${phoneLink(supportPhone)}">${phone}</a> or write to <a href="mailto:${email}">${email}</a>.`
}

/** The reference by which support finds a request in the log: its time and id. */
export function referenceOf({ request }: FastifyReply): string {
  return `<p><small>Reference for support: <code>${new Date().toISOString()} ${escapeHtml(request.id)}</code></small></p>`
}
