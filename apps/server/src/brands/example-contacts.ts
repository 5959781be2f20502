/**
 * Finds contacts that no one answers: addresses and hosts under the reserved domain `.example` (RFC 2606) and phone numbers
 * reserved for fiction (555-0100 to 555-0199). The shipped organizations have them.
 */
import type { Organization } from '@portico/contracts/organization-file'

const RESERVED_DOMAIN = /(?:^|[@.])example$/i
const FICTIONAL_PHONE = /55501\d\d$/

type Contact = { readonly field: string; readonly value: string | undefined }

/** One sentence about all organizations with such contacts, or undefined if there are none. */
export function exampleContacts(organizations: readonly Organization[]): string | undefined {
  const found = organizations.flatMap((organization) => {
    const contact = contactsOf(organization).find(isMadeUp)
    return contact === undefined ? [] : [{ orgCode: organization.orgCode, ...contact }]
  })
  const [first] = found
  if (first === undefined) return undefined
  const { orgCode, field, value } = first
  const number = found.length === 1 ? '1 organization has' : `${found.length} organizations have`
  return `CONFIG_DIR: ${number} made-up contacts, such as ${orgCode} with ${field} ${value}. Remove the example organizations and give yours real contacts, or allow them with ALLOW_INSECURE=CONFIG_DIR`
}

function contactsOf({ companyInfo, mailFrom, hosts }: Organization): readonly Contact[] {
  return [
    { field: 'companyInfo.supportEmail', value: companyInfo.supportEmail },
    { field: 'companyInfo.supportPhone', value: companyInfo.supportPhone },
    { field: 'mailFrom.address', value: mailFrom?.address },
    ...hosts.map((host) => ({ field: 'hosts', value: host })),
  ]
}

function isMadeUp({ value = '' }: Contact): boolean {
  return RESERVED_DOMAIN.test(value) || FICTIONAL_PHONE.test(value.replace(/\D/g, ''))
}
