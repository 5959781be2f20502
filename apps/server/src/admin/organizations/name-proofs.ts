/**
 * DNS records that prove that an organization may use a host or a mail domain. Links with codes and tokens are mailed to its
 * hosts, so an edit may only add names whose owner has published the record. Files need no proof: only the installation's
 * operators write them.
 */
import type { OrganizationError } from '@portico/contracts/admin/organizations'
import type { OrganizationDocument } from '@portico/rules/organization-changes'
import type { Logger } from 'pino'
import { normalizeHost } from '../../brands/brands.ts'
import type { ResolveTxt } from '../../broker/setup/resolve-txt.ts'
import { LOOPBACK } from '../../http/visitor.ts'
import type { Vault } from '../../secrets/vault.ts'

/** A separate name, because the host itself may be an alias (CNAME) or have many records. */
const recordNameOf = (name: string) => `_portico-verification.${name}`
const recordValueOf = (mac: string) => `portico-verification=${mac}`

/** A host, or the domain of the mail sender's address. */
interface UsedName {
  readonly field: string
  readonly name: string
}

export interface NameProofs {
  /** An error for each name of a document that none of the `trusted` documents has and no record proves. */
  readonly errors: (
    orgCode: string,
    document: OrganizationDocument,
    trusted: readonly OrganizationDocument[],
  ) => Promise<OrganizationError[]>
}

export function nameProofs({
  vault,
  resolveTxt,
  log,
}: {
  readonly vault: Pick<Vault, 'mac' | 'macs'>
  readonly resolveTxt: ResolveTxt
  readonly log: Logger
}): NameProofs {
  /** Another organization's record proves nothing. */
  const subjectOf = (orgCode: string, name: string) => `${orgCode} ${name}`

  async function errorOf(orgCode: string, { field, name }: UsedName) {
    const recordName = recordNameOf(name)
    const subject = subjectOf(orgCode, name)
    const expected = recordValueOf(vault.mac('name proof', subject))
    const error = (message: string) => ({ orgCode: null, field, message })
    try {
      const records = (await resolveTxt(recordName)).map((record) => record.trim())
      const accepted = vault.macs('name proof', subject).map(recordValueOf)
      if (records.some((record) => accepted.includes(record))) return []
      return [
        error(
          `needs proof that ${name} may be used: create the DNS record ${recordName} of type TXT with the value ${expected}`,
        ),
      ]
    } catch (cause) {
      log.warn({ err: cause, name: recordName }, 'the record of a name could not be looked up')
      return [error(`could not be checked: the DNS record ${recordName} could not be looked up`)]
    }
  }

  return {
    async errors(orgCode, document, trusted) {
      const known = new Set(
        trusted.flatMap((each) => namesOf(each).map(({ field, name }) => keyOf(field, name))),
      )
      const added = namesOf(document).filter(({ field, name }) => !known.has(keyOf(field, name)))
      return (await Promise.all(added.map((each) => errorOf(orgCode, each)))).flat()
    },
  }
}

/** A proof for a host is none for mail, whose domain may be above the host. */
const keyOf = (field: string, name: string) => `${field.split('.')[0]} ${name}`

function namesOf({ hosts, mailFrom }: OrganizationDocument): UsedName[] {
  const listed: readonly unknown[] = Array.isArray(hosts) ? hosts : []
  const address =
    typeof mailFrom === 'object' && mailFrom !== null && 'address' in mailFrom
      ? mailFrom.address
      : undefined
  const domain = typeof address === 'string' ? address.split('@').at(-1) : undefined
  return [
    ...listed.flatMap((host, index) =>
      // A name that always leads to the visitor's own machine has no records.
      typeof host === 'string' && !LOOPBACK.test(normalizeHost(host))
        ? [{ field: `hosts.${index}`, name: normalizeHost(host) }]
        : [],
    ),
    ...(domain === undefined ? [] : [{ field: 'mailFrom.address', name: normalizeHost(domain) }]),
  ]
}
