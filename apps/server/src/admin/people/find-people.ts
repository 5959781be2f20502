/** Searches people and reads one person's page. */
import type { findPeople, Person, PersonItem } from '@portico/contracts/admin/people'
import type { Parsed } from '@portico/contracts/call'
import { hasInvisibleCharacters } from '@portico/contracts/characters'
import { emailAddress } from '@portico/contracts/email-address'
import { Refusal } from '@portico/contracts/errors'
import { ADMIN_PAGE_SIZE } from '@portico/contracts/limits'
import { Uuid } from '@portico/contracts/text'
import { isInScope, type Scope } from '@portico/rules/operator-permissions'
import { normalizePhone } from '@portico/rules/phone'
import type { Clock } from '../../clock.ts'
import { deviceName } from '../../identity/account-security/device-name.ts'
import { attemptsOwner } from '../../lockout/lockout.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { AllStores } from '../../stores.ts'
import { parseCursor } from '../keyset.ts'
import type { Operator } from '../operators/operators.ts'
import { type PersonKey, recipientsOf } from './people.store.ts'

/** Shorter beginnings would match too many people. */
const MIN_PART_LENGTH = 3

/** A Bech32 address of a wallet or account. */
const ADDRESS = /^[a-z]{1,83}1[\da-z]{6,}$/

export function people({
  stores,
  vault,
  clock,
}: {
  readonly stores: Pick<
    AllStores,
    | 'accounts'
    | 'attempts'
    | 'directoryUsers'
    | 'identities'
    | 'identityRoles'
    | 'passkeys'
    | 'passports'
    | 'people'
    | 'providers'
    | 'recoveryCodes'
    | 'securityAnswers'
    | 'sessions'
    | 'wallets'
    | 'wrongCodes'
  >
  readonly vault: Vault
  readonly clock: Clock
}) {
  /** The key of the search, or a part if no one in the scope has the complete address, number or ID. */
  async function selectionOf(
    search: string,
    { scope, match }: { readonly scope: Scope; readonly match: 'exact' | 'part' | undefined },
  ): Promise<{ readonly key: PersonKey } | { readonly part: string } | undefined> {
    const key = keyOf(search)
    if (match !== 'part') return key && { key }
    if (key !== undefined) {
      const found = await stores.people.list({ scope, key, after: undefined, limit: 1 })
      if (found.length > 0) return { key }
    }
    const isPart = Array.from(search).length >= MIN_PART_LENGTH && !hasInvisibleCharacters(search)
    return isPart ? { part: search } : undefined
  }

  return {
    async find(
      query: Parsed<(typeof findPeople)['query']>,
      operator: Operator,
    ): Promise<{ items: PersonItem[]; next: string | null }> {
      const search = query.search?.trim() ?? ''
      const scope = narrowScope(operator.scopeOf('people.read'), query.organizationCode)
      const selection =
        search === ''
          ? { key: undefined }
          : await selectionOf(search, { scope, match: query.match })
      if (selection === undefined) return { items: [], next: null }
      const limit = query.limit === undefined ? ADMIN_PAGE_SIZE : Number(query.limit)
      // One extra row, to see whether there is another page.
      const after = query.after === undefined ? undefined : parseCursor(query.after)
      const place = { scope, after, limit: limit + 1 }
      const rows =
        'part' in selection
          ? await stores.people.listByPart({ ...place, ...selection })
          : await stores.people.list({ ...place, ...selection })
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      return {
        items: page.map(itemOf),
        next: rows.length > limit && last !== undefined ? `${last.createdAt}.${last.id}` : null,
      }
    },

    async read(identityId: string, operator: Operator): Promise<Person> {
      const scope = operator.scopeOf('people.read')
      const identity = await stores.identities.findById(identityId)
      if (identity === undefined || !isInScope(scope, identity.organizationCode)) {
        throw new Refusal('not-found')
      }
      const at = clock()
      const aliases = await stores.identities.listAliases(identityId)
      const phones = aliases.filter(({ type }) => type === 'Phone')
      const [
        attempts,
        isSecondStepClosed,
        passkeys,
        questions,
        recoveryCodesLeft,
        providers,
        sessions,
        devices,
        wallets,
        accounts,
        passports,
        roles,
        messages,
        events,
        directoryLocks,
      ] = await Promise.all([
        stores.attempts.read(attemptsOwner(vault, identity), at),
        stores.wrongCodes.hasClosed(identityId),
        stores.passkeys.list(identityId),
        stores.securityAnswers.list(identityId),
        stores.recoveryCodes.countUnused(identityId),
        stores.providers.listOfIdentity(identityId),
        stores.sessions.listOpen(identityId, at),
        stores.people.listDevices(identityId),
        stores.wallets.listByIdentity(identityId),
        stores.accounts.listByIdentity(identityId),
        stores.passports.listByIdentity(identityId),
        stores.identityRoles.listGrants(identityId),
        stores.people.listMessages(recipientsOf(identity.email, aliases)),
        stores.people.listEvents(identityId, scope),
        stores.directoryUsers.listLocks(identityId),
      ])
      return {
        ...itemOf(identity),
        updatedAt: identity.updatedAt,
        isOperator: roles.length > 0,
        attempts: { ...attempts, isSecondStepClosed },
        directoryLocks: directoryLocks.map(({ name, since }) => ({ name, since })),
        factors: {
          hasPassword: identity.passwordHash !== null,
          passwordExpired: identity.passwordExpiredAt !== null,
          email: identity.emailFactorAt !== null,
          totp: aliases.some(({ type }) => type === 'TOTP'),
          phones: phones.map(({ value, verifiedAt }) => ({ value, verifiedAt })),
          passkeys: passkeys.map(({ name, createdAt, lastUsedAt }) => ({
            name,
            createdAt,
            lastUsedAt,
          })),
          questions: questions.length,
          recoveryCodesLeft,
          providers: providers.map(({ name, createdAt, managedAt }) => ({
            name,
            connectedAt: createdAt,
            manages: managedAt !== null,
          })),
        },
        sessions: sessions.map(({ id, userAgent, network, method, createdAt }) => ({
          uuid: id,
          device: deviceName(userAgent),
          network,
          method,
          signedInAt: createdAt,
        })),
        devices,
        wallets: wallets.map(({ address, name, type, verifiedAt }) => ({
          address,
          name,
          type,
          verifiedAt,
        })),
        accounts: accounts.map(({ address, name, type, walletAddress }) => ({
          address,
          name,
          type,
          walletAddress,
        })),
        passports: passports
          .filter(({ organizationCode }) => isInScope(scope, organizationCode))
          .map(({ id, structureType, organizationCode, ownerWalletAddress, createdAt }) => ({
            passportUuid: id,
            type: structureType,
            organizationCode,
            ownerWalletAddress,
            createdAt,
          })),
        roles: roles
          .filter(({ organizationCode }) => isInScope(scope, organizationCode))
          .map(({ role, organizationCode }) => ({ role, organizationCode })),
        messages: messages.map(({ id, channel, kind, createdAt, attempts, ...state }) => ({
          messageUuid: id,
          channel,
          kind,
          createdAt,
          attempts,
          state: stateOf(state),
        })),
        events: events.map(({ at, kind, network, details, operatorId, ...operator }) => ({
          at,
          kind,
          network,
          operator: operator.operatorEmail ?? operator.tokenName ?? operatorId,
          reason: reasonIn(details),
        })),
      }
    },
  }
}

function keyOf(search: string): PersonKey | undefined {
  if (search.includes('@')) {
    const email = emailAddress(search)
    return email === undefined ? undefined : { email }
  }
  if (Uuid.safeParse(search.toLowerCase()).success) return { id: search.toLowerCase() }
  const phone = normalizePhone(search)
  if (phone !== undefined) return { phone }
  return ADDRESS.test(search) ? { address: search } : undefined
}

/** The scope, or one organization in it. */
function narrowScope(scope: Scope, organizationCode: string | undefined): Scope {
  if (organizationCode === undefined) return scope
  return {
    organizationCodes: isInScope(scope, organizationCode) ? [organizationCode] : [],
  }
}

function itemOf(row: {
  id: string
  email: string
  givenName: string | null
  familyName: string | null
  organizationCode: string
  profileType: PersonItem['profileType']
  lockedAt: number | null
  createdAt: number
}): PersonItem {
  const { id, email, organizationCode, profileType, lockedAt, createdAt } = row
  const names = [row.givenName, row.familyName].filter((name) => name !== null)
  return {
    identityUuid: id,
    email,
    name: names.length === 0 ? null : names.join(' '),
    organizationCode,
    profileType,
    lockedAt,
    createdAt,
  }
}

const stateOf = ({ sentAt, droppedAt }: { sentAt: number | null; droppedAt: number | null }) =>
  sentAt !== null ? 'sent' : droppedAt !== null ? 'dropped' : 'waiting'

/** The reason of an operator's act. */
function reasonIn(details: string): string | null {
  const { reason } = JSON.parse(details) as { reason?: unknown } // Written as JSON.
  return typeof reason === 'string' ? reason : null
}
