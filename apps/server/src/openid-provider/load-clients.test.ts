import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../tests/support/temporary-folder.ts'
import { loadClients } from './load-clients.ts'

const HASH = 'a'.repeat(64)
const CLIENT = {
  clientId: 'loan-desk',
  name: 'Loan desk',
  organization: 'HARBORLINE',
  authentication: 'secret',
  secretHashes: [HASH],
  redirectUris: ['https://desk.harborline.example/callback'],
}

/** The errors of client files with these contents. */
function errorsOf(...files: readonly object[]): readonly string[] {
  using folder = temporaryFolder()
  mkdirSync(join(folder.path, 'clients'))
  files.forEach((file, index) => {
    writeFileSync(join(folder.path, 'clients', `${index}.json`), JSON.stringify(file))
  })
  const errors: string[] = []
  loadClients(folder.path, new Set(['HARBORLINE']), errors)
  return errors
}

test('a valid client has no errors', () => {
  expect(errorsOf(CLIENT)).toEqual([])
})

test.each([
  [{ organization: 'NO_ONE' }, 'no organization has the code NO_ONE'],
  [{ alsoOrganizations: ['NO_ONE'] }, 'no organization has the code NO_ONE'],
  [{ secretHashes: [] }, 'secretHashes must have entries'],
  [{ authentication: 'none' }, 'secretHashes must have entries'],
  [{ secretHashes: ['the secret itself'] }, 'must be a SHA-256 hash'],
  [{ redirectUris: ['http://localhost:3000/callback'] }, 'must begin with https'],
  [{ redirectUris: ['http://desk.harborline.example/callback'] }, 'must be an https address'],
  [{ redirectUris: ['https://*.harborline.example/callback'] }, 'must be an https address'],
  [{ backChannelLogoutUri: 'http://localhost:3000/logout' }, 'must begin with https'],
  [{ scopes: ['email'] }, 'must contain openid'],
  [{ redirectURIs: [] }, 'redirectURIs'],
])(
  'an error in the file of a client stops the start and says how to fix it: %j',
  (change, error) => {
    const [first, ...others] = errorsOf({ ...CLIENT, ...change })
    expect(first).toContain(error)
    expect(first).toContain('0.json')
    expect(others).toEqual([])
  },
)

test('errors in all client files are reported together, and IDs are unique', () => {
  expect(
    errorsOf(CLIENT, CLIENT, { ...CLIENT, clientId: 'other', organization: 'NO_ONE' }),
  ).toEqual([
    expect.stringContaining('clientId loan-desk is already used by'),
    expect.stringContaining('NO_ONE'),
  ])
})
