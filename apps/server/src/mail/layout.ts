/**
 * The layout of a mail: the organization's brand in words and colors alone. It loads no external resource, so the
 * lender appears by name and no image tracks who has read it.
 */
import { LENDER_BADGES } from '@portico/contracts/organization'
import type { Organization } from '@portico/contracts/organization-file'
import { formatPhone, phoneLink } from '@portico/rules/phone'
import { brandTheme } from '@portico/rules/theme'
import { type Sender, senderOf } from '../brands/brands.ts'
import type { Config } from '../config.ts'
import { escapeHtml } from '../escape-html.ts'

/** The sender of mail that no visitor triggered. */
export function automaticSender(
  organization: Organization,
  { publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>,
): Sender {
  return senderOf(organization, { publicUrl, localOrigin: `http://localhost:${port}` })
}

/** The content of a mail, before the layout. */
export interface MailBody {
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly code?: string
  readonly button?: { readonly text: string; readonly href: string } | undefined
}

/** The lender's footer, shared by both formats. */
function footerOf({ organization, pagesOrigin }: Sender) {
  const { companyInfo, label, mailSignature } = organization
  const { name, legalName, nmlsNumber, badge, supportPhone, supportEmail } = companyInfo
  const absoluteUrl = (link: string) => (link.startsWith('/') ? `${pagesOrigin}${link}` : link)
  return {
    company: label === undefined ? name : `${name} · ${label.name}`,
    signature: mailSignature,
    phone: supportPhone,
    email: supportEmail,
    legal: `${legalName} · NMLS #${nmlsNumber} · ${LENDER_BADGES[badge]}`,
    links: [
      { text: 'Terms', href: absoluteUrl(companyInfo.termsUrl) },
      { text: 'Privacy', href: absoluteUrl(companyInfo.privacyUrl) },
      { text: 'Licenses', href: absoluteUrl(companyInfo.licensesUrl) },
    ],
  }
}

/** The plain-text format, with everything that the HTML format says. */
export function mailText(sender: Sender, body: MailBody): string {
  const { company, signature, phone, email, legal, links } = footerOf(sender)
  const support = phone === undefined ? email : `${formatPhone(phone)} or ${email}`
  return [
    company,
    body.heading,
    ...(body.code === undefined ? [] : [body.code]),
    ...body.paragraphs,
    ...(body.button ? [`${body.button.text}: ${body.button.href}`] : []),
    ...(signature === undefined ? [] : [signature]),
    `Questions? ${support}`,
    `${legal}\n${links.map(({ text, href }) => `${text}: ${href}`).join('\n')}`,
  ].join('\n\n')
}

const FONT = 'Helvetica,Arial,sans-serif'
const CARD_COLOR = { light: '#ffffff', dark: '#1d2127' } as const
const BACKGROUND_COLOR = { light: '#f1f2f4', dark: '#14171c' } as const
const TEXT_COLOR = { light: '#1b1f27', dark: '#eceef1' } as const
const MUTED_COLOR = { light: '#555c66', dark: '#a8afb9' } as const

/**
 * The HTML format, with tables and inline styles for the mail programs that support nothing else. The style sheet in
 * the head is for those that support dark mode.
 */
export function mailHtml(sender: Sender, body: MailBody): string {
  const { brandColor, darkBrandColor } = sender.organization
  const { light, dark } = brandTheme(brandColor, darkBrandColor)
  const { company, signature, phone, email, legal, links } = footerOf(sender)
  const text = `margin:0 0 16px;font:16px/1.5 ${FONT};color:${TEXT_COLOR.light}`
  const small = `margin:0 0 8px;font:13px/1.5 ${FONT};color:${MUTED_COLOR.light}`
  const mutedLink = (label: string, href: string) =>
    `<a href="${escapeHtml(href)}" class="quiet" style="color:${MUTED_COLOR.light}">${escapeHtml(label)}</a>`
  const code =
    body.code === undefined
      ? ''
      : `<p class="words ground" style="display:inline-block;margin:0 0 24px;padding:14px 14px 14px 20px;border-radius:6px;background:${BACKGROUND_COLOR.light};font:bold 32px/1.2 Menlo,Consolas,monospace;letter-spacing:6px;color:${TEXT_COLOR.light}">${escapeHtml(body.code)}</p>`
  const button = body.button
    ? `<p style="margin:24px 0"><a href="${escapeHtml(body.button.href)}" class="brand" style="display:inline-block;padding:13px 24px;border-radius:6px;background:${light.brand};color:${light['on-brand']};font:bold 16px/1.3 ${FONT};text-decoration:none">${escapeHtml(body.button.text)}</a></p>`
    : ''
  const signatureHtml =
    signature === undefined
      ? ''
      : `<p class="quiet" style="${text};color:${MUTED_COLOR.light}">${escapeHtml(signature)}</p>`
  const support = [
    ...(phone === undefined ? [] : [mutedLink(formatPhone(phone), phoneLink(phone))]),
    mutedLink(email, `mailto:${email}`),
  ].join(' or ')
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(body.heading)}</title>
<style>@media (prefers-color-scheme:dark){.ground{background:${BACKGROUND_COLOR.dark}!important}.paper{background:${CARD_COLOR.dark}!important}.words{color:${TEXT_COLOR.dark}!important}.quiet{color:${MUTED_COLOR.dark}!important}.panel{background:${dark.panel}!important;color:${dark['on-panel']}!important}.brand{background:${dark.brand}!important;color:${dark['on-brand']}!important}}</style></head>
<body class="ground" style="margin:0;padding:0;background:${BACKGROUND_COLOR.light};word-break:break-word;overflow-wrap:anywhere">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background:${BACKGROUND_COLOR.light}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:32rem">
<tr><td class="panel" style="padding:20px 32px;background:${light.panel};color:${light['on-panel']};border-radius:10px 10px 0 0;font:bold 18px/1.3 ${FONT}">${escapeHtml(company)}</td></tr>
<tr><td class="paper" style="padding:32px 32px 16px;background:${CARD_COLOR.light};border-radius:0 0 10px 10px">
<h1 class="words" style="margin:0 0 16px;font:bold 24px/1.3 ${FONT};color:${TEXT_COLOR.light}">${escapeHtml(body.heading)}</h1>
${code}${body.paragraphs.map((each) => `<p class="words" style="${text}">${escapeHtml(each)}</p>`).join('\n')}
${button}${signatureHtml}</td></tr>
<tr><td style="padding:20px 32px">
<p class="quiet" style="${small}">Questions? ${support}</p>
<p class="quiet" style="${small}">${links.map(({ text: label, href }) => mutedLink(label, href)).join(' · ')}</p>
<p class="quiet" style="${small};text-wrap:balance">${escapeHtml(legal)}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>`
}
