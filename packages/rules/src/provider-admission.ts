import type { UserType } from '@portico/contracts/broker'

/** An identity provider's verified statements about a person. */
export interface ProviderPerson {
  readonly subject: string
  /** Normalized; undefined without a valid address. */
  readonly email: string | undefined
  /** Undefined if the provider does not state it. */
  readonly emailVerified: boolean | undefined
  readonly groups: readonly string[]
  /** Whether the provider left groups out because the person is in too many, so that `groups` proves no absence. */
  readonly groupsOmitted: boolean
}

/** Why a person is refused although the identity provider has identified them. */
export type ProviderRefusal =
  /** A different address from the one entered on the login page. */
  | 'other-email'
  | 'group-missing'
  /** The provider left the groups out, so the person may be in the required one. */
  | 'groups-omitted'
  /** The directory has deactivated or deleted the person. */
  | 'left-directory'
  /** No address, an unverified one, or one of a domain that the organization does not own. */
  | 'unverified-email'
  /** An agent with a customer's account, or vice versa. */
  | 'other-user-type'
  | 'locked'
  /** An account with a second step, which must not be linked with a passcode alone. */
  | 'protected'
  /** An account managed by another provider. */
  | 'managed-elsewhere'
  /** An account of another organization. */
  | 'other-organization'

/** What follows a verified response. */
export type ProviderAdmission =
  | { readonly kind: 'refused'; readonly reason: ProviderRefusal }
  | { readonly kind: 'signedIn' }
  /** The first login of a person without an account. */
  | { readonly kind: 'provisioned'; readonly email: string }
  /** An account has this address, and its owner must prove that it is theirs. */
  | { readonly kind: 'linkable'; readonly email: string }

/** The relevant parts of an account. */
interface ExistingAccount {
  readonly profileType: 'CUSTOMER' | 'AGENT'
  readonly locked: boolean
}

/** The person in the organization's directory, if it sends its people (SCIM). */
interface DirectoryPerson {
  readonly active: boolean
  /** Membership in the required group: current, former or never. */
  readonly group: 'member' | 'left' | 'none'
}

const PROFILE_TYPES = { customer: 'CUSTOMER', agent: 'AGENT' } as const

/** The account type of a broker's users. */
export function profileTypeOf(userType: UserType): ExistingAccount['profileType'] {
  return PROFILE_TYPES[userType]
}

/** The user type of an account type. */
export function userTypeOf(profileType: ExistingAccount['profileType']): UserType {
  return profileType === 'AGENT' ? 'agent' : 'customer'
}

/**
 * Decides whether a person whom an identity provider has identified is signed in. People are recognized by the provider's
 * subject. The address matters only at the first login: it must belong to a verified domain, and an existing account is
 * linked only after its owner has proved possession of the mailbox. The required group may come from the provider's response
 * or from the directory.
 */
export function providerAdmission({
  person,
  provider,
  expectedEmail,
  isDomainVerified,
  directory,
  known,
  sameAddress,
}: {
  readonly person: ProviderPerson
  readonly provider: {
    readonly userType: UserType
    readonly requiredGroup: string | undefined
  }
  /** The address that was entered on the login page. */
  readonly expectedEmail: string | undefined
  /** Whether the organization has proved that it owns the domain of the person's address. */
  readonly isDomainVerified: boolean
  readonly directory: DirectoryPerson | undefined
  /** The account of this subject. */
  readonly known: ExistingAccount | undefined
  /** The account with the person's address. */
  readonly sameAddress:
    | (ExistingAccount & {
        /** Whether the account belongs to the provider's organization. */
        readonly ofOrganization: boolean
        readonly secondStep: boolean
        readonly managedElsewhere: boolean
      })
    | undefined
}): ProviderAdmission {
  const refused = (reason: ProviderRefusal): ProviderAdmission => ({ kind: 'refused', reason })
  const { email, groups, groupsOmitted } = person
  if (expectedEmail !== undefined && email !== expectedEmail) return refused('other-email')
  if (directory?.active === false) return refused('left-directory')
  // Leaving the group counts until the directory re-adds the person, even if the provider's response still lists the group.
  const isMember =
    directory?.group === 'member' ||
    (directory?.group !== 'left' && groups.includes(provider.requiredGroup ?? ''))
  if (provider.requiredGroup !== undefined && !isMember) {
    return refused(
      groupsOmitted && directory?.group !== 'left' ? 'groups-omitted' : 'group-missing',
    )
  }
  const account = known ?? sameAddress
  if (known === undefined && !(isDomainVerified && person.emailVerified !== false)) {
    return refused('unverified-email')
  }
  if (account !== undefined && account.profileType !== profileTypeOf(provider.userType)) {
    return refused('other-user-type')
  }
  if (known !== undefined) return known.locked ? refused('locked') : { kind: 'signedIn' }
  if (email === undefined) return refused('unverified-email')
  if (sameAddress === undefined) return { kind: 'provisioned', email }
  if (sameAddress.managedElsewhere) return refused('managed-elsewhere')
  if (!sameAddress.ofOrganization) return refused('other-organization')
  // A locked account is reported only to a person who has proved that it is theirs, which a passcode does.
  return sameAddress.secondStep ? refused('protected') : { kind: 'linkable', email }
}
