/**
 * A test sign-in of the administrator at the provider, with the saved settings. It starts no session and logs no one in; its
 * result is stored with the setup for the administrator to see.
 */
import { Refusal } from '@portico/contracts/errors'
import { escapeInvisible } from '@portico/contracts/invisible-characters'
import { PROVIDER_LOGIN_LIFETIME_MS } from '@portico/contracts/limits'
import { parseJson } from '@portico/contracts/parse-json'
import { SetupTest, type TestProblem } from '@portico/contracts/sso-setup'
import { providerAdmission } from '@portico/rules/provider-admission'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { randomSecret, sha256 } from '../../secrets/hashes.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { Stores } from '../../stores.ts'
import { type ProviderAnswer, ProviderError } from '../identity-provider.ts'
import { cookieNameOf, newLoginState } from '../login-state.ts'
import { MismatchData } from '../openid-connect.ts'
import type { ProviderRow } from '../providers.store.ts'
import { type OpenProvider, returnUrlOf } from '../providers.ts'
import type { SetupRow } from './provider-setups.store.ts'
import type { SetupSession } from './setup-session.ts'

const MAX_CLAIMS = 50
const MAX_TEXT_LENGTH = 500

export function testSignIns({
  stores,
  vault,
  clock,
  openProvider,
}: {
  readonly stores: Pick<Stores, 'providers' | 'providerSetups' | 'providerTests'>
  readonly vault: Vault
  readonly clock: Clock
  readonly openProvider: OpenProvider
}) {
  /** Stores the result unless the settings have changed since. */
  const store = ({ providerId, version }: SetupRow, test: SetupTest) =>
    stores.providerSetups.update(
      { providerId, version },
      {
        test: vault.wrap('provider test', JSON.stringify(test)),
        testPassedAt: test.status === 'passed' ? test.at : null,
      },
    )

  return {
    /**
     * Begins a test of a version. Without a redirect, the test failed at once. @throws Refusal - `setup-changed`,
     * `setup-incomplete`
     */
    async begin(
      { provider, setup }: SetupSession,
      version: number,
      visitor: Visitor,
    ): Promise<string | undefined> {
      if (setup.version !== version) throw new Refusal('setup-changed')
      const { protocol } = setup
      if (protocol === null || setup.settings === '{}') throw new Refusal('setup-incomplete')
      const drafted = draftOf(provider, setup)
      const { state, stateHash } = newLoginState()
      const at = clock()
      const begun = await openProvider(drafted, visitor)
        .begin({
          state,
          returnUrl: returnUrlOf(provider, visitor),
          loginHint: undefined,
          choosesAccount: hasFailed(setup, vault),
        })
        .catch(asProviderError)
      if (begun instanceof ProviderError) {
        await store(setup, failureOf(begun, at))
        return undefined
      }
      const browserSecret = randomSecret()
      await stores.providerTests.insert({
        stateHash,
        providerId: provider.id,
        cookieHash: sha256(browserSecret),
        version,
        wrapped: vault.wrap('provider login', begun.checks),
        expiresAt: at + PROVIDER_LOGIN_LIFETIME_MS,
      })
      await store(setup, { status: 'begun', at, claims: [] })
      visitor.keepProviderLogin(cookieNameOf(stateHash), browserSecret)
      return begun.redirect
    },

    /** Completes the test that a response belongs to and returns its provider; undefined if it belongs to none. */
    async complete(
      {
        userType,
        providerId,
        state = '',
        search,
      }: { userType: string; providerId: string; state: string | undefined; search: string },
      visitor: Visitor,
    ): Promise<ProviderRow | undefined> {
      const stateHash = sha256(state)
      const name = cookieNameOf(stateHash)
      const browserSecret = visitor.providerLoginCookie(name)
      const provider = browserSecret && (await stores.providers.findById(providerId))
      if (!provider || provider.userType !== userType) return undefined
      const at = clock()
      const cookieHash = sha256(browserSecret)
      const begun = await stores.providerTests.consume({ stateHash, providerId, cookieHash, at })
      const setup = begun && (await stores.providerSetups.find(providerId))
      if (setup === undefined) return undefined
      visitor.dropProviderLogin(name)
      if (setup.version !== begun?.version) return provider
      const drafted = draftOf(provider, setup)
      const answer = await openProvider(drafted, visitor)
        .complete({
          search,
          state,
          returnUrl: returnUrlOf(provider, visitor),
          checks: vault.unwrap('provider login', begun.wrapped),
        })
        .catch(asProviderError)
      const test =
        answer instanceof ProviderError
          ? failureOf(answer, at)
          : await resultOf(answer, drafted, at)
      await store(setup, test)
      return provider
    },
  }

  async function resultOf(
    { person, names, claims }: ProviderAnswer,
    provider: ProviderRow,
    at: number,
  ): Promise<SetupTest> {
    const { email, subject, groups, groupsOmitted } = person
    const domain = email?.slice(email.indexOf('@') + 1)
    const problem = problemOf(person, provider)
    return {
      status: problem === undefined ? 'passed' : 'failed',
      at,
      problem,
      person: {
        subject: displayText(subject),
        email,
        firstName: names.givenName && displayText(names.givenName),
        lastName: names.familyName && displayText(names.familyName),
        groups: groups.slice(0, MAX_CLAIMS).map(displayText),
        groupsOmitted,
        isDomainVerified:
          domain !== undefined && (await stores.providers.hasVerifiedDomain(provider.id, domain)),
      },
      claims: Object.entries(claims)
        .slice(0, MAX_CLAIMS)
        .map(([name, value]) => ({
          name: displayText(name),
          value: displayText(typeof value === 'string' ? value : JSON.stringify(value)),
        })),
    }
  }
}

/** Whether the last test refused a person, so that the administrator can choose another account at the provider. */
function hasFailed({ test }: SetupRow, vault: Vault): boolean {
  if (test === null) return false
  const { status, person } = SetupTest.parse(parseJson(vault.unwrap('provider test', test)))
  return status === 'failed' && person !== undefined
}

/** The provider with the settings that the administrator saved. */
function draftOf(provider: ProviderRow, setup: SetupRow): ProviderRow {
  const { name, settings, secret, attributeMapping, requiredGroup, updatedAt } = setup
  const protocol = setup.protocol ?? provider.protocol
  return {
    ...provider,
    protocol,
    name,
    settings,
    secret,
    attributeMapping,
    requiredGroup,
    updatedAt,
  }
}

/** Why a person identified by the provider could not log in with these settings, apart from their domain and account. */
function problemOf(
  person: ProviderAnswer['person'],
  { userType, requiredGroup }: ProviderRow,
): TestProblem | undefined {
  const admission = providerAdmission({
    person,
    provider: { userType, requiredGroup: requiredGroup ?? undefined },
    expectedEmail: undefined,
    isDomainVerified: true,
    directory: undefined,
    known: undefined,
    sameAddress: undefined,
  })
  if (admission.kind !== 'refused') return undefined
  if (admission.reason === 'group-missing' || admission.reason === 'groups-omitted') {
    return admission.reason
  }
  return person.email === undefined ? 'email-missing' : 'email-unverified'
}

function failureOf(error: ProviderError, at: number): SetupTest {
  const found = MismatchData.safeParse(error.data).data
  return {
    status: 'failed',
    at,
    problem: error.code,
    detail: displayText([...new Set(messagesOf(error))].join(': ')),
    mismatch: found && {
      field: displayText(found.field),
      expected: displayText(textOf(found.expected)),
      found: displayText(textOf(found.found)),
    },
    claims: [],
  }
}

/** The messages of an error and its causes. */
function messagesOf(error: unknown): string[] {
  return error instanceof Error ? [error.message, ...messagesOf(error.cause)] : []
}

function asProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  throw error
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')

const displayText = (text: string) => escapeInvisible(text.slice(0, MAX_TEXT_LENGTH))
