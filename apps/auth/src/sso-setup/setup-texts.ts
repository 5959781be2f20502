import type {
  ProviderProduct,
  ProviderProtocol,
  Setup,
  SetupTest,
} from '@portico/contracts/sso-setup'

/** The products, as administrators call them. */
export const PRODUCTS: Readonly<Record<ProviderProduct, { name: string; suggestion: string }>> = {
  okta: { name: 'Okta', suggestion: 'Okta' },
  entra: { name: 'Microsoft Entra ID', suggestion: 'Microsoft' },
  google: { name: 'Google Workspace', suggestion: 'Google' },
  ping: { name: 'PingOne', suggestion: 'Ping' },
  other: { name: 'Another provider', suggestion: '' },
}

export const PROTOCOLS: Readonly<Record<ProviderProtocol, { name: string; hint: string }>> = {
  oidc: { name: 'OpenID Connect', hint: 'Recommended: nothing expires except the secret.' },
  saml: { name: 'SAML 2.0', hint: 'If your provider or your policies require it.' },
}

/** The scopes with which the product sends groups, if its administrator wants them. */
export const SCOPES: Readonly<Record<ProviderProduct, string>> = {
  okta: 'openid email profile groups',
  entra: 'openid email profile',
  google: 'openid email profile',
  ping: 'openid email profile',
  other: 'openid email profile',
}

export const ISSUER_HINTS: Readonly<Record<ProviderProduct, string>> = {
  okta: 'https://your-company.okta.com, as under Security > API',
  entra: 'https://login.microsoftonline.com/{tenant ID}/v2.0',
  google: 'https://accounts.google.com',
  ping: 'https://auth.pingone.com/{environment ID}/as',
  other: 'The value "issuer" of the metadata, letter for letter',
}

/** How to connect the directory of the product by SCIM. */
export const DIRECTORY_INSTRUCTIONS: Readonly<Record<ProviderProduct, readonly string[]>> = {
  okta: [
    'In the Okta Admin Console, open an application with SCIM provisioning: Provisioning > Integration > Edit.',
    'Copy the base URL into SCIM 2.0 Base Url. Enter userName as the unique identifier.',
    'Choose to push new users, profile updates and groups, with the authentication mode HTTP Header and the token.',
    'Under To App, turn on create, update and deactivate users. Push the required group, if you have one.',
  ],
  entra: [
    'In the Entra admin center, open your enterprise application > Provisioning, and choose automatic.',
    'Copy the base URL into Tenant URL and the token into Secret Token, then choose Test Connection.',
    'Assign people and the required group, if you have one, and start provisioning.',
  ],
  google: [
    'Google Workspace sends people by SCIM only to applications in its catalog. Use another directory, or skip this step.',
  ],
  ping: [
    'In PingOne, open Integrations > Provisioning, and create a SCIM outbound connection.',
    'Copy the base URL into SCIM Base URL, and choose OAuth 2 Bearer Token with the token.',
    'Choose to create, update and disable users, add a rule, and turn both on.',
  ],
  other: [
    'Enter the base URL and the token in your directory. It must send SCIM 2.0 with a bearer token.',
    'Set it to create, update and deactivate users, and to send the required group, if you have one.',
  ],
}

/** What to do at the provider, by product and protocol. */
export const INSTRUCTIONS: Readonly<
  Record<ProviderProduct, Readonly<Record<ProviderProtocol, readonly string[]>>>
> = {
  okta: {
    oidc: [
      'In the Okta Admin Console, open Applications > Applications and choose Create App Integration.',
      'Choose OIDC - OpenID Connect and Web Application.',
      'Copy the redirect address below into Sign-in redirect URIs, and the sign-out address into Sign-out redirect URIs.',
      'Under Assignments, choose who may log in, and save.',
      'For groups: on the tab Sign On, set the Groups claim to the name groups with a filter.',
      'Copy the Client ID and the Client secret from the tab General into the form below.',
    ],
    saml: [
      'In the Okta Admin Console, open Applications > Applications and choose Create App Integration.',
      'Choose SAML 2.0 and give the application a name.',
      'Copy the addresses below into Single sign-on URL and Audience URI (SP Entity ID).',
      'Set Name ID format to Persistent. Add attribute statements: email with user.email, firstName with user.firstName, lastName with user.lastName.',
      'For groups: add the group attribute statement groups with a filter.',
      'On the tab Sign On, copy the Metadata URL into the form below. On the tab Assignments, choose who may log in.',
    ],
  },
  entra: {
    oidc: [
      'In the Microsoft Entra admin center, open App registrations and choose New registration.',
      'Choose Accounts in this organizational directory only. As Redirect URI choose Web, and copy the redirect address below into it.',
      'Copy the Application (client) ID into the form below. The issuer contains the Directory (tenant) ID.',
      'Under Certificates & secrets, add a client secret. Copy its Value, not its Secret ID.',
      'Under Token configuration, add the optional claim email to the ID token. For groups, add a groups claim; it sends object IDs.',
      'Under Enterprise applications > your application > Properties, require assignment, and assign who may log in.',
    ],
    saml: [
      'In the Microsoft Entra admin center, open Enterprise applications, choose New application, then Create your own application (non-gallery).',
      'Open Single sign-on and choose SAML.',
      'In Basic SAML Configuration, copy the addresses below into Identifier (Entity ID) and Reply URL.',
      'In Attributes & Claims, set the Unique User Identifier to user.objectid with the format Persistent. The claim emailaddress must be user.mail.',
      'Copy the App Federation Metadata Url of SAML Certificates into the form below.',
      'Under Users and groups, assign who may log in.',
    ],
  },
  google: {
    oidc: [
      'In the Google Cloud console, choose a project of your organization and open Google Auth Platform.',
      'Under Audience, choose Internal, so that only people of your organization can log in.',
      'Under Clients, choose Create client and Web application.',
      'Copy the redirect address below into Authorized redirect URIs, and choose Create.',
      'Copy the Client ID and the Client secret into the form below. Google sends no groups by OpenID Connect.',
    ],
    saml: [
      'In the Google Admin console, open Apps > Web and mobile apps and choose Add app > Add custom SAML app.',
      'On the page Google Identity Provider details, choose Download metadata. Upload that file below.',
      'Copy the addresses below into ACS URL and Entity ID. Set Name ID format to PERSISTENT and Name ID to Basic Information > Primary email.',
      'Map Primary email to email, First name to firstName and Last name to lastName. For groups, map them to groups.',
      'Under User access, turn the application on for the people who may log in.',
    ],
  },
  ping: {
    oidc: [
      'In the PingOne admin console, open Applications > Applications, choose + and OIDC Web App.',
      'On the tab Configuration, choose the response type Code and the grant type Authorization Code.',
      'Copy the redirect address below into Redirect URIs, and the sign-out address into Signoff URLs.',
      'On the tab Resources, allow the scopes email and profile. For groups, map Group Names to groups on the tab Attribute Mappings.',
      'Copy the Client ID, the Client Secret and the Issuer into the form below.',
      'On the tab Access, choose who may log in, and turn the application on.',
    ],
    saml: [
      'In the PingOne admin console, open Applications > Applications, choose + and SAML Application.',
      'Choose Manually Enter, and copy the addresses below into ACS URLs and Entity ID.',
      'On the tab Attribute Mappings, map saml_subject to User ID, email to Email Address, firstName to Given Name and lastName to Family Name.',
      'On the tab Overview, copy the IDP Metadata URL into the form below.',
      'On the tab Access, choose who may log in, and turn the application on.',
    ],
  },
  other: {
    oidc: [
      'At your provider, register a web application that uses the authorization code flow.',
      'Copy the redirect address below. The provider must accept exactly this address.',
      'Configure the provider to send the claim email. Groups are optional.',
      'Copy the issuer, the client ID and the client secret into the form below.',
    ],
    saml: [
      'At your provider, register a service provider with the addresses below, or with our metadata.',
      'Configure the provider to sign assertions with SHA-256 and to send a persistent name identifier.',
      'Configure it to send the attribute email. Groups are optional.',
      'Copy the address of its metadata into the form below, or upload the file.',
    ],
  },
}

/** What went wrong in a test, and what to do. */
export function testAdvice(
  { problem, mismatch, detail = '' }: SetupTest,
  { protocol, product, attributes, requiredGroup }: Setup,
): { readonly title: string; readonly advice: string } {
  const attribute = protocol === 'saml' ? 'attribute' : 'claim'
  switch (problem) {
    case 'email-missing':
      return {
        title: 'The provider sent no email address',
        advice: `Configure the provider to send it, or enter the name of its ${attribute} under Map attributes. It is currently read from ${attributes.email ?? 'email'}.`,
      }
    case 'email-unverified':
      return {
        title: 'The provider has not verified the email address',
        advice:
          'It says so in the claim email_verified. Test with a user who has a verified address.',
      }
    case 'group-missing':
      return {
        title: `The person is not in the group ${requiredGroup}`,
        advice: `Compare the group with the values of ${attributes.groups ?? 'groups'} below. Some providers send the ID of a group instead of its name.`,
      }
    case 'groups-omitted':
      return groupsOmittedAdvice(protocol)
    case 'declined':
      return {
        title: 'The provider did not sign you in',
        advice: 'Check that the application is assigned to you at the provider, then test again.',
      }
    case 'unavailable':
      return mismatch === undefined
        ? {
            title: 'We could not read the settings of your provider',
            advice: 'Check the issuer. Its metadata must be public, over https.',
          }
        : differentIssuer
    default:
      return answerAdvice(
        mismatch?.field,
        detail,
        protocol === 'saml' ? (product ?? 'other') : undefined,
      )
  }
}

/** What to do if the provider left out the groups of a person who is in too many. */
export function groupsOmittedAdvice(protocol: ProviderProtocol | null) {
  const page = protocol === 'saml' ? 'Single sign-on > Attributes & Claims' : 'Token configuration'
  return {
    title: 'The provider left out the groups of this person',
    advice: `The person is in too many groups, so it sent none of them. In Entra ID, open ${page}, edit the groups claim, and choose Groups assigned to the application. Or connect your directory, which sends the required group.`,
  }
}

const differentIssuer = {
  title: 'The issuer is different',
  advice: 'Enter the issuer that was found under Connect your provider, letter for letter.',
}

/** Where to choose what is signed, by product. `other` names those that administrators often have. */
const SIGNING_OPTIONS: Readonly<Record<ProviderProduct, string>> = {
  okta: 'In Okta, open General > SAML Settings > Edit > Show Advanced Settings, and set Assertion Signature to Signed with RSA-SHA256.',
  entra:
    'In Entra ID, open SAML Certificates > Edit, and set Signing Option to Sign SAML assertion and Signing Algorithm to SHA-256.',
  google:
    'In the Google Admin console, open the application > Service provider details, and check the certificate. Signed response may be on or off.',
  ping: 'In PingOne, open Configuration > SAML Settings, and set Signing to Sign Assertion and Signing Algorithm to RSA_SHA256.',
  other:
    'Keycloak: Keys and Signing > Sign assertions and RSA_SHA256. AD FS: Set-AdfsRelyingPartyTrust with -SamlResponseSignature AssertionOnly and -SignatureAlgorithm for SHA-256. Shibboleth: p:signAssertions="true" in the relying party.',
}

const ENCRYPTION_OPTIONS: Readonly<Record<ProviderProduct, string>> = {
  okta: 'In Okta, open General > SAML Settings > Edit > Show Advanced Settings, and set Assertion Encryption to Unencrypted.',
  entra: 'In Entra ID, open Security > Token encryption, and deactivate the certificate.',
  google: 'Google Workspace sends unencrypted assertions. Check that the response is from it.',
  ping: 'In PingOne, open Configuration > SAML Settings, and clear Enable Encryption.',
  other:
    'Keycloak: Keys > turn off Encrypt assertions. AD FS: Set-AdfsRelyingPartyTrust with -EncryptClaims $false. Shibboleth: p:encryptAssertions="false" in the relying party.',
}

function answerAdvice(
  field: string | undefined,
  detail: string,
  samlProduct: ProviderProduct | undefined,
) {
  if (/user info could not be read/.test(detail)) {
    return {
      title: 'We could not read the user info of your provider',
      advice:
        'Let the provider send the claims in the ID token. Or let it send user info without encryption and, if it is signed, with a key that its metadata publishes.',
    }
  }
  // First, because the provider's own words may follow.
  if (/invalid_client|unauthorized_client|answered status 401/.test(detail)) {
    return {
      title: 'The provider did not accept the client ID or the secret',
      advice:
        'Create a new client secret at the provider and enter it under Connect your provider.',
    }
  }
  if (samlProduct !== undefined && /assertion is encrypted/.test(detail)) {
    return {
      title: 'The provider encrypts its assertions',
      advice: `We have no key for them. ${ENCRYPTION_OPTIONS[samlProduct]} Then test again.`,
    }
  }
  if (
    samlProduct !== undefined &&
    /SHA-1|neither the assertion|must be signed|at least one/i.test(detail)
  ) {
    return {
      title: 'The response is not signed as we need it',
      advice: `The assertion or the response must be signed, with SHA-256 or stronger. ${SIGNING_OPTIONS[samlProduct]}`,
    }
  }
  if (field === 'iss' || field === 'issuer' || /issuer/i.test(detail)) return differentIssuer
  if (field === 'aud' || field === 'azp' || /audience/i.test(detail)) {
    return {
      title: 'The response is for another application',
      advice: 'Check the client ID or the entity ID at the provider, then test again.',
    }
  }
  if (field === 'nonce' || field === 'state' || /InResponseTo|this sign-in/i.test(detail)) {
    return {
      title: 'The response belongs to another sign-in',
      advice: 'Start the test again, in one tab.',
    }
  }
  if (/was not made for/.test(detail)) {
    return {
      title: 'The response is for another address',
      advice:
        'Copy our address under Connect your provider to your provider again, letter for letter, then test again.',
    }
  }
  if (/signature|signed|certificate|JWS|key/i.test(detail)) {
    return {
      title: 'The signature could not be verified',
      advice:
        'The provider may have a new certificate or key. Read its metadata again under Connect your provider.',
    }
  }
  return {
    title: 'The provider’s response is not valid',
    advice: 'The technical reason is below. If it does not help you, send it to support.',
  }
}
