/**
 * The session in which an administrator sets up a provider: for the browser that opened the mailed link, until the link
 * expires.
 */
import { USER_TYPES, type UserType } from '@portico/contracts/broker'
import { Refusal } from '@portico/contracts/errors'
import { SETUP_SESSION_LIFETIME_MS } from '@portico/contracts/limits'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { randomSecret, sha256 } from '../../secrets/hashes.ts'
import type { TransactionalStores } from '../../stores.ts'
import type { ProviderRow } from '../providers.store.ts'
import type { SetupRow } from './provider-setups.store.ts'
import type { SetupLinkRow } from './setup-links.store.ts'

export interface SetupSession {
  readonly link: SetupLinkRow
  /** With the settings that logins use. */
  readonly provider: ProviderRow
  /** With the settings that the administrator edits. */
  readonly setup: SetupRow
}

export interface SetupSessions {
  /** Consumes a link for the visitor's browser. @throws Refusal - `setup-link-refused` */
  readonly open: (token: string, visitor: Visitor) => Promise<SetupSession>
  /** @throws Refusal - `setup-ended` */
  readonly authenticate: (userType: UserType, visitor: Visitor) => Promise<SetupSession>
}

export function setupSessions({
  stores,
  clock,
}: {
  readonly stores: TransactionalStores<'audit' | 'providers' | 'providerSetups' | 'setupLinks'>
  readonly clock: Clock
}): SetupSessions {
  async function find(userType: UserType, visitor: Visitor): Promise<SetupSession | undefined> {
    const { orgCode } = visitor.organization
    const secret = visitor.setupCookie(cookieNameOf(orgCode, userType))
    const link = secret && (await stores.setupLinks.findOpened(sha256(secret), clock()))
    if (!link) return undefined
    const provider = await stores.providers.findById(link.providerId)
    const setup = await stores.providerSetups.find(link.providerId)
    if (provider?.organizationCode !== orgCode || provider.userType !== userType) return undefined
    if (setup === undefined) return undefined
    return { link, provider, setup }
  }

  return {
    async open(token, visitor) {
      const tokenHash = sha256(token)
      for (const userType of USER_TYPES) {
        const current = await find(userType, visitor)
        // The administrator opens the link again, in the same browser.
        if (current?.link.tokenHash === tokenHash) return current
      }
      const at = clock()
      const secret = randomSecret()
      const session = await stores.atomically(async (transaction) => {
        const link = await transaction.setupLinks.consume({
          tokenHash,
          organizationCode: visitor.organization.orgCode,
          sessionHash: sha256(secret),
          at,
          expiresAt: at + SETUP_SESSION_LIFETIME_MS,
        })
        const provider = link && (await transaction.providers.findById(link.providerId))
        const setup = link && (await transaction.providerSetups.find(link.providerId))
        if (link === undefined || provider === undefined || setup === undefined) {
          throw new Refusal('setup-link-refused')
        }
        await transaction.audit.record('provider-setup-opened', { identityId: null, at }, visitor)
        return { link, provider, setup }
      })
      const { organizationCode, userType } = session.provider
      visitor.keepSetup(cookieNameOf(organizationCode, userType), secret)
      return session
    },

    async authenticate(userType, visitor) {
      const session = await find(userType, visitor)
      if (session === undefined) throw new Refusal('setup-ended')
      return session
    },
  }
}

const cookieNameOf = (organizationCode: string, userType: UserType) =>
  `${organizationCode}-${userType}`
