import { readFiles } from '../data-files/data-files.ts'
import { ClientFile, isLoopbackUri } from './client-file.ts'

interface KnownCodes {
  readonly has: (orgCode: string) => boolean
}

/** Reads the clients in a configuration folder and adds their errors to `errors`. */
export function loadClients(
  configDir: string,
  orgCodes: KnownCodes,
  errors: string[],
): readonly ClientFile[] {
  const files = readFiles(configDir, 'clients', ClientFile, errors)
  for (const { name, content } of files) {
    errors.push(...clientErrors(content, orgCodes).map((error) => `${name}: ${error}`))
    const first = files.find((file) => file.content.clientId === content.clientId)
    if (first?.name !== name) {
      errors.push(`${name}: clientId ${content.clientId} is already used by ${first?.name}`)
    }
  }
  return files.map(({ content }) => content)
}

function clientErrors(client: ClientFile, orgCodes: KnownCodes): string[] {
  const { authentication, secretHashes, publicKeys, demonstration } = client
  const { redirectUris, postLogoutRedirectUris, backChannelLogoutUri } = client
  const unknown = [client.organization, ...client.alsoOrganizations].filter(
    (code) => !orgCodes.has(code),
  )
  const notSecure = [...redirectUris, ...postLogoutRedirectUris, backChannelLogoutUri ?? ''].filter(
    (uri) => isLoopbackUri(uri),
  )
  return [
    ...unknown.map((code) => `no organization has the code ${code}`),
    ...(demonstration
      ? []
      : notSecure.map((uri) => `${uri} must begin with https, or the client be a demonstration`)),
    ...((authentication === 'secret') === secretHashes.length > 0
      ? []
      : ['secretHashes must have entries if authentication is secret, and only then']),
    ...((authentication === 'private-key') === publicKeys.length > 0
      ? []
      : ['publicKeys must have entries if authentication is private-key, and only then']),
  ]
}
