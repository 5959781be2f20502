import { LENDER_BADGES } from '@portico/contracts/organization'
import { brandTheme } from '@portico/rules/theme'
import { escapeHtml } from '../escape-html.ts'
import type { Visitor } from '../http/visitor.ts'

/** In whose name a mail is sent, and where its links lead. */
export type Sender = Pick<Visitor, 'organization' | 'origin'>

/** What a mail says, before it is dressed. */
export interface MailBody {
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly code?: string
  readonly button?: { readonly text: string; readonly href: string }
}

/** A mail's text form: everything the HTML form says. */
export function mailText({ organization }: Sender, body: MailBody): string {
  const { legalName, nmlsNumber } = organization.companyInfo
  return [
    body.heading,
    ...(body.code === undefined ? [] : [body.code]),
    ...body.paragraphs,
    ...(body.button ? [`${body.button.text}: ${body.button.href}`] : []),
    `${legalName}, NMLS ${nmlsNumber}`,
  ].join('\n\n')
}

/** A mail's HTML form, in the organisation's colour: tables and inline styles, because mail programs know no others. */
export function mailHtml({ organization }: Sender, body: MailBody): string {
  const { name, legalName, nmlsNumber, badge } = organization.companyInfo
  const { brand, 'on-brand': onBrand } = brandTheme(organization.brandColour).light
  const text = 'margin:0 0 16px;font:16px/1.5 Helvetica,Arial,sans-serif;color:#1c2a3a'
  const small = 'margin:0;font:13px/1.5 Helvetica,Arial,sans-serif;color:#5b6b7c'
  const code =
    body.code === undefined
      ? ''
      : `<p style="margin:0 0 24px;font:bold 32px/1.2 Menlo,Consolas,monospace;letter-spacing:6px;color:#1c2a3a">${escapeHtml(body.code)}</p>`
  const button = body.button
    ? `<p style="margin:8px 0 24px"><a href="${escapeHtml(body.button.href)}" style="display:inline-block;padding:13px 24px;border-radius:8px;background:${brand};color:${onBrand};font:bold 16px/1.3 Helvetica,Arial,sans-serif;text-decoration:none">${escapeHtml(body.button.text)}</a></p>`
    : ''
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(body.heading)}</title></head>
<body style="margin:0;padding:0;background:#f3f5f8">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:32rem;background:white;border-top:4px solid ${brand};border-radius:8px"><tr><td style="padding:32px">
<p style="margin:0 0 24px;font:bold 18px/1.2 Helvetica,Arial,sans-serif;color:#1c2a3a">${escapeHtml(name)}</p>
<h1 style="margin:0 0 16px;font:bold 24px/1.3 Helvetica,Arial,sans-serif;color:#1c2a3a">${escapeHtml(body.heading)}</h1>
${code}${body.paragraphs.map((each) => `<p style="${text}">${escapeHtml(each)}</p>`).join('\n')}
${button}</td></tr></table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:32rem"><tr><td style="padding:16px 32px">
<p style="${small}">${escapeHtml(legalName)} · NMLS ${escapeHtml(nmlsNumber)} · ${LENDER_BADGES[badge]}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>`
}
