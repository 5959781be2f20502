import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import type { Sender } from '../brands/brands.ts'
import type { DraftText } from './outbox.ts'

/**
 * A passcode by text message. Its last line binds the code to our host (origin-bound one-time codes), so that browsers
 * autofill it nowhere else.
 */
export function passcodeText(
  { organization, pagesOrigin }: Sender,
  { phone, code }: { phone: string; code: string },
): DraftText {
  const { name } = organization.companyInfo
  const minutes = PASSCODE_LIFETIME_MS / 60_000
  const { hostname } = new URL(pagesOrigin)
  return {
    kind: 'passcode',
    to: phone,
    senderName: name,
    text: `${code} is your ${name} passcode. It is valid for ${minutes} minutes. No one from our company will ever ask you for it.\n\n@${hostname} #${code}`,
  }
}
