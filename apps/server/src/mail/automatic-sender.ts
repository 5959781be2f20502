import type { Organization } from '@portico/contracts/organization-file'
import type { Config } from '../config.ts'
import type { Sender } from './layout.ts'

/** The sender of mail that no visitor triggered. Its links use the organization's own host if it has one. */
export function automaticSender(
  organization: Organization,
  { publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>,
): Sender {
  const url = new URL(publicUrl ?? `http://localhost:${port}`)
  const [host] = organization.hosts
  if (publicUrl !== undefined && host !== undefined) url.hostname = host
  return { organization, linkOrigin: url.origin }
}
